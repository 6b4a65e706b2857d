#include "analysis/session/control_stream.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

struct piece {
    uint64_t offset;
    int64_t time_ns;
    uint64_t frame;
    uint32_t payload_bytes; /* on the wire */
    uint32_t length;        /* kept */
    bool urgent;
};

/* One that waits for a hole before it to be filled, with its bytes. */
struct kept_piece {
    struct piece piece;
    uint8_t data[];
};

struct control_side {
    uint64_t next; /* offset that comes next, 0 = nothing seen yet */
    struct kept_piece *pieces[CONTROL_PIECES_MAX];
    uint32_t count;
};

struct control_stream {
    struct control_side side[2];
};

struct control_stream *control_stream_new(void)
{
    return xcalloc(1, sizeof(struct control_stream));
}

void control_stream_free(struct control_stream *stream)
{
    if (stream == NULL)
        return;
    for (int dir = 0; dir < 2; dir++)
        for (uint32_t i = 0; i < stream->side[dir].count; i++)
            free(stream->side[dir].pieces[i]);
    free(stream);
}

static struct piece piece_of(uint64_t offset, const struct segment *seg)
{
    return (struct piece){
        .offset = offset,
        .time_ns = seg->time_ns,
        .frame = seg->frame,
        .payload_bytes = seg->payload_bytes,
        .length = seg->payload_captured,
        .urgent = (seg->flags & TCP_URG) != 0,
    };
}

static struct kept_piece *keep(const struct piece *piece, const uint8_t *data)
{
    uint32_t length = piece->length < CONTROL_PIECE_BYTES ? piece->length : CONTROL_PIECE_BYTES;
    struct kept_piece *kept = xmalloc(sizeof *kept + length);

    kept->piece = *piece;
    kept->piece.length = length;
    if (length > 0)
        memcpy(kept->data, data, length);
    return kept;
}

/* Hand on what of a piece is new. */
static bool deliver(struct control_side *side, struct sessions *sessions, uint64_t flow_id,
                    enum direction dir, const struct piece *piece, const uint8_t *data)
{
    uint64_t skip = side->next > piece->offset ? side->next - piece->offset : 0;
    bool wanted = true;

    if (skip >= piece->payload_bytes)
        return true;
    if (skip < piece->length)
        wanted = sessions_payload(sessions, flow_id, dir, piece->offset + skip, data + skip,
                                  piece->length - (uint32_t)skip, piece->urgent, piece->time_ns,
                                  piece->frame);
    side->next = piece->offset + piece->payload_bytes;
    return wanted;
}

/* Deliver kept pieces that now fit; those that start below up_to also over a hole. */
static bool flush(struct control_side *side, struct sessions *sessions, uint64_t flow_id,
                  enum direction dir, uint64_t up_to)
{
    bool wanted = true;

    while (side->count > 0 && wanted) {
        uint32_t lowest = 0;
        for (uint32_t i = 1; i < side->count; i++)
            if (side->pieces[i]->piece.offset < side->pieces[lowest]->piece.offset)
                lowest = i;
        struct kept_piece *kept = side->pieces[lowest];
        if (kept->piece.offset > side->next && kept->piece.offset >= up_to)
            break;
        side->pieces[lowest] = side->pieces[--side->count];
        wanted = deliver(side, sessions, flow_id, dir, &kept->piece, kept->data);
        free(kept);
    }
    return wanted;
}

/* Whether a segment repeats a piece that waits already. */
static bool is_kept(const struct control_side *side, uint64_t offset, uint32_t payload_bytes)
{
    for (uint32_t i = 0; i < side->count; i++)
        if (side->pieces[i]->piece.offset == offset &&
            side->pieces[i]->piece.payload_bytes >= payload_bytes)
            return true;
    return false;
}

bool control_stream_add(struct control_stream *stream, struct sessions *sessions, uint64_t flow_id,
                        enum direction dir, uint64_t offset, const struct segment *seg)
{
    struct control_side *side = &stream->side[dir];
    const struct piece piece = piece_of(offset, seg);

    if (side->next == 0)
        side->next = offset;
    if (offset > side->next) {
        if (is_kept(side, offset, seg->payload_bytes))
            return true;
        if (side->count < CONTROL_PIECES_MAX) {
            side->pieces[side->count++] = keep(&piece, seg->payload);
            return true;
        }
        if (!flush(side, sessions, flow_id, dir, offset))
            return false;
    }
    return deliver(side, sessions, flow_id, dir, &piece, seg->payload) &&
           flush(side, sessions, flow_id, dir, 0);
}

bool control_stream_acknowledged(struct control_stream *stream, struct sessions *sessions,
                                 uint64_t flow_id, enum direction dir, uint64_t offset)
{
    struct control_side *side = &stream->side[dir];

    return side->count == 0 || flush(side, sessions, flow_id, dir, offset);
}
