/* What a direction tells of its path: delay idle and loaded, queues, the rate it delivered. */
#include "report/json.h"

#include "report/json_value.h"
#include "report/words.h"

static json_t *two_ms(const char *first, int64_t first_ns, const char *second, int64_t second_ns)
{
    json_t *out = json_object();

    json_put_ms(out, first, first_ns);
    json_put_ms(out, second, second_ns);
    return out;
}

static json_t *delivery(const struct path_facts *p)
{
    json_t *out = json_object();

    json_put_rate(out, "max", p->delivery_max_bytes_per_s);
    json_put_rate(out, "steady", p->delivery_steady_bytes_per_s);
    return out;
}

/* The first moves of the smallest round trip; their count may be larger. */
static json_t *steps(const struct view *view, const struct path_facts *p)
{
    json_t *out = json_array();

    for (uint32_t i = 0; i < p->step_count && i < PATH_STEPS_MAX; i++) {
        const struct path_step *s = &p->steps[i];
        json_t *step = json_object();

        json_put_seconds(step, "time_s", view_since_start(view, s->time_ns));
        json_put_ms(step, "from_ms", s->from_ns);
        json_put_ms(step, "to_ms", s->to_ns);
        json_array_append_new(out, step);
    }
    return out;
}

static json_t *changes(const struct view *view, const struct path_facts *p)
{
    json_t *out = json_object();

    json_put_count(out, "rtt_steps", p->step_count);
    json_put_count(out, "ttl_changes", p->ttl_changes);
    json_put(out, "steps", steps(view, p));
    return out;
}

void json_put_path(const struct view *view, json_t *direction, const struct direction_result *d)
{
    const struct path_facts *p = &d->path;

    json_put_ms(direction, "idle_rtt_ms", p->idle_rtt_ns);
    json_put(direction, "loaded_rtt_ms",
             two_ms("p50", p->loaded_rtt_p50_ns, "p95", p->loaded_rtt_p95_ns));
    json_put(direction, "queue_ms", two_ms("p50", p->queue_p50_ns, "p95", p->queue_p95_ns));
    json_put(direction, "forward_queue_ms",
             two_ms("mean", p->forward_queue_mean_ns, "max", p->forward_queue_max_ns));
    json_put(direction, "reverse_queue_ms",
             two_ms("p50", d->pattern.known ? d->pattern.acks.queue_p50_ns : NS_UNKNOWN, "p95",
                    d->pattern.known ? d->pattern.acks.queue_p95_ns : NS_UNKNOWN));
    json_put_ms(direction, "jitter_ms", p->jitter_ns);
    json_put(direction, "delivery_bytes_per_s", delivery(p));
    json_put_rate(direction, "capacity_bytes_per_s", p->capacity_bytes_per_s);
    json_put_pct(direction, "utilisation_pct", 100 * p->utilisation);
    json_put_word(direction, "congestion", words_congestion(p->signature));
    json_put(direction, "path_changes", changes(view, p));
}
