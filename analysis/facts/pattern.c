#include "analysis/facts/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

/* Slices over which the pace is measured: above a scheduler's and a timer's grain, below the time
 * in which a host or a path changes. */
#define SLICE_NS ((int64_t)100000000)
/* Round trips are taken together to so much time, so that a short path does not cost more. */
#define ROUNDS_NS ((int64_t)10000000)
/* How near a gap lies to a timer of the receiver's (catalogue row 17). */
#define TIMER_TOLERANCE 10
/* A departure counts as let go by an acknowledgment within this part of a round trip. */
#define RELEASE_PART 4
#define RELEASE_LEAST_NS ((int64_t)1000000)
/* Above this share of a round the program, and not the path, kept data from following ACKs. */
#define APP_PART 4

static const int64_t timers_ns[ACK_TIMERS] = {
    [ACK_TIMER_40] = 40000000,
    [ACK_TIMER_50] = 50000000,
    [ACK_TIMER_100] = 100000000,
    [ACK_TIMER_200] = 200000000,
};

struct pattern *pattern_new(uint64_t left)
{
    struct pattern *p = xcalloc(1, sizeof *p);

    p->message_left = p->burst_left = left;
    p->far_queue_ns = p->near_queue_ns = p->data_rtt_min_ns = NS_UNKNOWN;
    p->worst_ns = p->worst_start_ns = NS_UNKNOWN;
    return p;
}

void pattern_free(struct pattern *p)
{
    if (p == NULL)
        return;
    quantiles_free(&p->gaps);
    quantiles_free(&p->covered);
    quantiles_free(&p->ack_queue);
    free(p);
}

/* Count a size; returns how often it has been counted, 0 when it found no place. */
static uint32_t count_size(struct pattern_sizes *sizes, uint32_t bytes)
{
    struct pattern_size *free_entry = NULL;

    for (uint32_t i = 0; i < PATTERN_SIZES; i++) {
        struct pattern_size *entry = &sizes->entry[i];
        if (entry->count > 0 && entry->bytes == bytes)
            return ++entry->count;
        if (entry->count == 0)
            free_entry = entry;
    }
    if (free_entry != NULL) {
        *free_entry = (struct pattern_size){bytes, 1};
        return 1;
    }
    for (uint32_t i = 0; i < PATTERN_SIZES; i++)
        sizes->entry[i].count--;
    return 0;
}

static void end_message(struct pattern *p, uint64_t right, uint64_t frame)
{
    uint64_t bytes = right - p->message_left;
    uint32_t power = 0;

    if (bytes == 0 || bytes > UINT32_MAX)
        return;
    p->message_count++;
    p->message_bytes += bytes;
    power = (uint32_t)__builtin_ctz((uint32_t)bytes);
    if (power >= PATTERN_POWER_FIRST) {
        power -= PATTERN_POWER_FIRST;
        p->power_bytes[power < PATTERN_POWERS ? power : PATTERN_POWERS - 1] += bytes;
    }
    if (count_size(&p->messages, (uint32_t)bytes) > 1) {
        p->from_frame = p->message_frame;
        p->to_frame = frame;
    }
}

/* A piece below smss ends a message. */
static void take_partial(struct pattern *p, const struct departure *d, uint32_t bytes,
                         uint32_t mss_allowed)
{
    uint32_t cell = mss_allowed == 0 ? 0 : (uint32_t)((uint64_t)bytes * PATTERN_CELLS / mss_allowed);

    cell = cell < PATTERN_CELLS ? cell : PATTERN_CELLS - 1;
    p->partial_segments++;
    p->partial_bytes += bytes;
    p->small_segments += (uint64_t)bytes * 2 < mss_allowed;
    p->cell_count[cell]++;
    p->cell_bytes[cell] += bytes;
    count_size(&p->partials, bytes);
    if (d->right > p->message_left)
        end_message(p, d->right, d->frame);
    p->message_left = d->right;
    p->message_frame = 0;
}

/* Which timer of the receiver's held back an acknowledgment for so long; ACK_TIMERS = none. */
static int timer_of(int64_t held_ns, int64_t tick_ns)
{
    for (int i = 0; i < ACK_TIMERS; i++) {
        int64_t off_ns = held_ns > timers_ns[i] ? held_ns - timers_ns[i] : timers_ns[i] - held_ns;
        if (off_ns <= timers_ns[i] / TIMER_TOLERANCE + tick_ns)
            return i;
    }
    return ACK_TIMERS;
}

/* The sender had data out and room, sent nothing until the last of it was acknowledged, then at
 * once; no data came from the peer, whose answer it may have waited for. */
static bool was_released(const struct replay *r, const struct pattern_departure *now)
{
    int64_t slack_ns = now->path->min_rtt_ns / RELEASE_PART;

    if (now->path->min_rtt_ns == NS_UNKNOWN || slack_ns < RELEASE_LEAST_NS)
        slack_ns = RELEASE_LEAST_NS;
    slack_ns += 2 * now->path->tick_ns;
    return r->covered_ns > r->previous_departure_ns && now->d->sent_ns - r->covered_ns <= slack_ns &&
           now->peer_data_ns < r->previous_departure_ns && !r->window_blocked && r->recover == 0 &&
           r->previous_frame != 0;
}

/* Nothing else is out: if an acknowledgment was waited for, was it with a piece below smss before
 * or after the silence, or as long as a receiver holds one back? */
static void take_gap(struct pattern *p, const struct replay *r, const struct pattern_departure *now,
                     bool partial)
{
    int64_t gap_ns = now->d->sent_ns - r->previous_departure_ns, held_ns = gap_ns;

    if (gap_ns <= 0 ||
        (!partial && !p->after_partial && gap_ns < timers_ns[ACK_TIMER_40] / 2) ||
        !was_released(r, now))
        return;
    if (now->path->min_rtt_ns != NS_UNKNOWN)
        held_ns -= now->path->min_rtt_ns;
    int timer = timer_of(held_ns, now->path->tick_ns);
    if (timer == ACK_TIMERS && !partial && !p->after_partial)
        return;
    quantiles_add(&p->gaps, gap_ns);
    p->gaps_ns += gap_ns;
    p->after_partials += p->after_partial;
    p->before_partials += partial;
    if (timer < ACK_TIMERS) {
        p->held[timer]++;
        p->held_ns += gap_ns;
    }
    if (gap_ns > p->worst_ns) { /* NS_UNKNOWN is below every gap */
        p->worst_ns = gap_ns;
        p->worst_start_ns = r->previous_departure_ns;
        p->worst_from_frame = r->previous_frame;
        p->worst_to_frame = now->d->frame;
    }
}

static void take_burst(struct pattern *p, uint64_t left)
{
    uint64_t bytes = left > p->burst_left ? left - p->burst_left : 0;

    p->burst_left = left;
    if (bytes == 0)
        return;
    uint32_t power = bytes == 1 ? 0 : 64 - (uint32_t)__builtin_clzll(bytes - 1);
    p->bursts[power < 32 ? power : 31]++;
    p->burst_count++;
}

void pattern_take_departure(struct pattern *p, const struct replay *r,
                            const struct pattern_departure *now)
{
    const struct departure *d = now->d;
    uint64_t bytes = d->right - d->left;
    uint32_t rest = (uint32_t)(d->smss > 0 ? bytes % d->smss : bytes);

    if (d->kind != DEPARTURE_NEW) {
        p->after_partial = false;
        return;
    }
    if (now->flight <= bytes) {
        take_gap(p, r, now, rest > 0);
        take_burst(p, d->left);
    }
    if (p->after_partial)
        p->message_frame = d->frame;
    p->after_partial = rest > 0;
    if (rest > 0)
        take_partial(p, d, rest, now->mss_allowed);
}

void pattern_take_ack(struct pattern *p, const struct ts_clock *clock, uint32_t ts_val,
                      int64_t time_ns)
{
    p->ack_wanted = false;
    p->far_queue_ns = time_ns - ts_clock_departure_ns(clock, ts_val, time_ns);
}

static void add_value(struct pattern_spread *spread, double value, uint64_t count)
{
    double off = value - spread->mean;

    spread->mean += off / (double)count;
    spread->square_sum += off * (value - spread->mean);
}

static void take_slice(struct pattern *p)
{
    double seconds = (double)p->slice_ns / 1e9;

    p->slices++;
    add_value(&p->bytes_rate, (double)p->slice_bytes / seconds, p->slices);
    add_value(&p->segment_rate, (double)p->slice_segments / seconds, p->slices);
    add_value(&p->segment_size, (double)p->slice_bytes / (double)p->slice_segments, p->slices);
    p->slice_ns = 0;
    p->slice_bytes = p->slice_segments = 0;
}

/* Enough round trips for a sample are over. */
static void take_rounds(struct pattern *p, int64_t span_ns)
{
    if (p->round_acks > 0) {
        p->acks += p->round_acks;
        quantiles_add(&p->covered, (int64_t)(p->round_covered_bytes / p->round_acks) * 1000);
    }
    if (p->far_queue_ns != NS_UNKNOWN && p->near_queue_ns != NS_UNKNOWN &&
        p->round_app_ns < span_ns / APP_PART)
        quantiles_add(&p->ack_queue, p->far_queue_ns + p->near_queue_ns);
    p->far_queue_ns = p->near_queue_ns = NS_UNKNOWN;
    p->ack_wanted = true;
    p->round_ns = p->round_app_ns = 0;
    p->round_acks = p->round_covered_bytes = 0;
    p->slice_ns += span_ns;
    if (p->slice_ns >= SLICE_NS && p->slice_segments > 0)
        take_slice(p);
}

void pattern_take_round(struct pattern *p, const struct round *round)
{
    int64_t span_ns = round->end_ns - round->start_ns;

    if (round->rtt_min_ns != NS_UNKNOWN &&
        (p->data_rtt_min_ns == NS_UNKNOWN || round->rtt_min_ns < p->data_rtt_min_ns))
        p->data_rtt_min_ns = round->rtt_min_ns;
    if (round->recovery || span_ns <= 0)
        return;
    p->stretch += round->stretch_acks;
    p->round_acks += round->acks;
    p->round_covered_bytes += round->una_end - round->una_start;
    p->round_app_ns += round->limit_ns[LIMIT_APP];
    p->slice_bytes += round->sent_bytes;
    p->slice_segments += round->departures;
    p->round_ns += span_ns;
    if (p->round_ns >= ROUNDS_NS)
        take_rounds(p, p->round_ns);
}

enum first_bytes pattern_first_bytes(const uint8_t *payload, uint32_t length)
{
    /* handshake record, version 3.x (RFC 8446 section 5.1) */
    if (length >= 5 && payload[0] == 0x16 && payload[1] == 3 && payload[2] <= 4)
        return FIRST_BYTES_TLS;
    if (length >= 4 && memcmp(payload, "SSH-", 4) == 0)
        return FIRST_BYTES_SSH;
    return FIRST_BYTES_UNKNOWN;
}
