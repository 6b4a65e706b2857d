/* What the causes of the receiver's window share: its arithmetic, signs and words.  For the
 * cause_*.c files alone. */
#ifndef TCPWHY_ANALYSIS_CASE_WINDOW_H
#define TCPWHY_ANALYSIS_CASE_WINDOW_H

#include "analysis/cause/cause.h"

#define UNSCALED_WINDOW_MAX 65535 /* RFC 9293 section 3.1: a 16-bit field */

/* Share of the time that the sender was held by the window, open or closed; percent. */
double case_window_held_pct(const struct case_file *c);
/* Share of the time that the window was well below its largest (struct moves_sink), 0 = never. */
double case_window_sunk_pct(const struct case_file *c);
/* True when bytes lay unread in the receiver's buffer for most of the time that the window held
 * the sender: the reader sets the pace, not the size of the buffer. */
bool case_window_is_unread(const struct case_file *c);
/* True when much more was in flight, again and again, than the window seen allows. */
bool case_window_is_exceeded(const struct case_file *c);

/* The part of the largest window that whole segments fill. */
double case_window_whole_bytes(const struct case_file *c);
/* True when the rate is that of a full window each round trip, counted in bytes or in whole
 * segments. */
bool case_window_rate_agrees(const struct case_file *c);
/* True when the figures are known, the rate is not above W/R, no queue stands on the path that a
 * larger window would only lengthen, and neither --link nor the path's own rate is reached. */
bool case_window_may_bind(const struct case_file *c);
/* The same, and the rate is that of a window that was at its largest and full for its share of the
 * time. */
bool case_window_arithmetic_holds(const struct case_file *c);
/* False where the scale is not known and the window may have held the sender unseen: the least scale
 * that the flight proves must give one that never nearly closed and was larger than what was out. */
bool case_window_leaves_room(const struct case_file *c);
/* True when the options of both SYNs were captured and one of them lacks window scaling. */
bool case_window_scaling_is_refused(const struct case_file *c);
/* True when the window stands at the 16-bit limit, to within a segment.  A smaller one is a small
 * buffer, whatever the SYNs say. */
bool case_window_is_at_16_bits(const struct case_file *c);

/* "It allows ... bytes in flight; with ... round trip that is ... at most.  Measured ..." */
void case_window_append_arithmetic(const struct case_file *c, struct verdict *v);
/* The largest window, and where it held the sender. */
void case_window_add_evidence(const struct case_file *c, struct verdict *v);
/* What both SYNs say of window scaling. */
void case_window_add_syns(const struct case_file *c, struct verdict *v);
/* The window to ask for: what fills the link of --link; without one, a power of two that is ten
 * times this window or more, for the path's rate is not known.  BYTES_UNKNOWN when the link does
 * not ask for more than there is. */
uint64_t case_window_wanted_bytes(const struct case_file *c);
/* Advise a larger receive buffer and, where it needs it, window scaling. */
void case_window_advise(const struct case_file *c, bool scaling_first, struct verdict *v);

#endif
