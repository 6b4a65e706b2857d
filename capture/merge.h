/* Several inputs as one, by time; packets of equal time in the order of the inputs. */
#ifndef TCPWHY_CAPTURE_MERGE_H
#define TCPWHY_CAPTURE_MERGE_H

#include "capture/inorder.h"

struct merge;

/* inputs[0..count) stay the caller's.  skip_idle: an input to which nothing comes for 100 ms does
 * not hold up the others (growing files); otherwise the merge waits for it. */
struct merge *merge_new(struct inorder *const *inputs, int count, bool skip_idle);
void merge_free(struct merge *merge);

/* As source_read, into out[0..max). */
int merge_read(struct merge *merge, struct packet *out, int max);

#endif
