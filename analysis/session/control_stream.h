/* Payload of a possible control connection, put in stream order for the session layer. */
#ifndef TCPWHY_ANALYSIS_CONTROL_STREAM_H
#define TCPWHY_ANALYSIS_CONTROL_STREAM_H

#include <stdbool.h>

#include "analysis/flow/flow.h"
#include "analysis/session/sessions.h"

/* Out-of-order pieces kept of one connection; past it the gap is passed on as a gap. */
#define CONTROL_PIECES_MAX 16u
/* Bytes kept of one piece: a control line is short. */
#define CONTROL_PIECE_BYTES 1460u

struct control_stream;

struct control_stream *control_stream_new(void);
void control_stream_free(struct control_stream *stream);

/* Hand on the payload of a segment whose data starts at offset.  Returns false when the session
 * layer wants no more of this flow. */
bool control_stream_add(struct control_stream *stream, struct sessions *sessions, uint64_t flow_id,
                        enum direction dir, uint64_t offset, const struct segment *seg);

/* The peer has acknowledged everything below offset: a hole below it will not be filled. */
bool control_stream_acknowledged(struct control_stream *stream, struct sessions *sessions,
                                 uint64_t flow_id, enum direction dir, uint64_t offset);

#endif
