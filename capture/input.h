/* One origin of packets, file or device, behind const callbacks.  source.c drives it: fill brings
 * bytes into the buffer, parse turns them into packet descriptors that point into the buffer. */
#ifndef TCPWHY_CAPTURE_INPUT_H
#define TCPWHY_CAPTURE_INPUT_H

#include "capture/buffer.h"
#include "capture/packet.h"
#include "capture/source.h"

struct input;

/* Results of fill besides a number of bytes. */
#define INPUT_IDLE 0      /* nothing came within 100 ms; more may come */
#define INPUT_END (-1)    /* no more bytes, ever */
#define INPUT_FAILED (-2) /* a fault ended reading: facts.warning says which (whole line) */
/* Result of parse besides a number of packets. */
#define INPUT_DAMAGED (-3) /* what stands at buffer.head is no record: input->damage says why */

struct input_ops {
    /* Append bytes at buffer.tail (at least BUFFER_SPACE_MIN are free) and advance it.  Never
     * moves or frees buffer.bytes.  Returns the bytes added (> 0), INPUT_IDLE, INPUT_END or
     * INPUT_FAILED.  Waits at most 100 ms. */
    long (*fill)(struct input *input);
    /* Turn whole records at buffer.head into out[0..n), n <= max, and advance head behind them.
     * Fills every field of struct packet: frame from ++input->frames, source from
     * input->number, data inside buffer.bytes.  Returns n; 0 when the next record is not whole
     * yet (then need_bytes is its size if known, else 0); INPUT_DAMAGED, and again on each call. */
    int (*parse)(struct input *input, struct packet *out, int max);
    /* Release input->state (buffer and input itself are released by input_free). */
    void (*close)(struct input *input);
};

struct input {
    const struct input_ops *ops;
    void *state;       /* of ops */
    char *name;        /* what facts.name points to */
    const char *title; /* the name in messages: "standard input" for "-" */
    struct buffer buffer;
    struct source_facts facts; /* packets and filtered_out are counted by source.c */
    uint64_t frames;           /* records parsed so far */
    uint16_t number;           /* of the file, for packet.source */
    size_t need_bytes;         /* whole size of the record at head, 0 = its header is not whole */
    size_t need_header_bytes;  /* of need_bytes, what precedes the packet's data */
    char damage[128];          /* "captured length of 99999999 bytes" */
};

/* A new input with an empty buffer; name is copied into facts.name.  Freed by input_free. */
struct input *input_new(const struct input_ops *ops, void *state, const char *name);
/* ops->close, then everything else; NULL is allowed. */
void input_free(struct input *input);
/* Record that the bytes end inside the record at buffer.head (nothing is recorded when they end
 * behind a whole one), or that input->damage was found there: facts.truncated and the warning. */
void input_note_cut(struct input *input);
void input_note_damage(struct input *input);
/* Note a link type in facts.link_types (once; beyond SOURCE_LINK_TYPES_MAX it is dropped). */
void input_add_link_type(struct input *input, int link_type);

#endif
