/* --mask: names that hide who and what, the same for the same thing throughout one report. */
#ifndef TCPWHY_REPORT_MASK_H
#define TCPWHY_REPORT_MASK_H

#include <stddef.h>
#include <stdint.h>

struct mask;

enum mask_kind { MASK_HOST, MASK_USER, MASK_FILE, MASK_KINDS };

struct mask *mask_new(void);
void mask_free(struct mask *mask);

/* Number of a thing of one kind, from 1 in the order of first use.  Its bytes are kept, so memory
 * grows with the different things shown, which the analysis bounds. */
uint64_t mask_number(struct mask *mask, enum mask_kind kind, const void *bytes, size_t size);

#endif
