/* Sequence numbers become 64-bit stream offsets once, at the door (RFC 9293 section 3.4).
 *
 * An offset's low 32 bits are the sequence number on the wire; a connection starts in epoch 1, so
 * that data sent before the first segment seen still has a positive offset.  Everything after the
 * door adds and compares plainly; a 25 GB transfer just runs through six epochs. */
#ifndef TCPWHY_ANALYSIS_SEQ_H
#define TCPWHY_ANALYSIS_SEQ_H

#include <stdbool.h>
#include <stdint.h>

/* First offset of a stream whose first sequence number seen is seq. */
static inline uint64_t seq_first_offset(uint32_t seq)
{
    return ((uint64_t)1 << 32) | seq;
}

/* The offset nearest to reference whose low 32 bits are seq. */
static inline uint64_t seq_unwrap(uint32_t seq, uint64_t reference)
{
    return reference + (uint64_t)(int64_t)(int32_t)(seq - (uint32_t)reference);
}

/* True when a is later than b on a 32-bit clock that wraps: sequence numbers, TSval (RFC 7323
 * section 5.2). */
static inline bool serial_after(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) > 0;
}

#endif
