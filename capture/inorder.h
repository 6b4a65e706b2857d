/* The packets of one input in time order.  Descriptors are held until the newest time seen is
 * 10 ms later than theirs, or 1,024 of them or 128 KiB are held; a packet that comes late within
 * that is put in its place.  A larger step back is counted and left as it came: what was held
 * goes out first, and order is kept from the new time on. */
#ifndef TCPWHY_CAPTURE_INORDER_H
#define TCPWHY_CAPTURE_INORDER_H

#include "capture/filter.h"
#include "capture/input.h"

struct inorder;

/* Takes the input over (inorder_free frees it); filter may be NULL and stays the caller's. */
struct inorder *inorder_new(struct input *input, struct filter *filter);
void inorder_free(struct inorder *inorder);
struct input *inorder_input(const struct inorder *inorder);

/* The input would have to be filled, which moves the bytes of packets handed out before. */
#define INORDER_DRY (-4)

/* Up to max packets (1..max) in *out, or 0, SOURCE_END, SOURCE_FAILED as source_read; INORDER_DRY
 * when may_fill is false and nothing can be handed out without a fill. */
int inorder_read(struct inorder *inorder, struct packet **out, int max, bool may_fill);

#endif
