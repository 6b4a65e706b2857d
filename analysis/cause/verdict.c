#include "analysis/cause/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void verdict_set_headline(struct verdict *v, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(v->headline, sizeof v->headline, format, args);
    va_end(args);
}

void verdict_append_text(struct verdict *v, const char *format, ...)
{
    const size_t used = strlen(v->text);
    va_list args;

    va_start(args, format);
    vsnprintf(v->text + used, sizeof v->text - used, format, args);
    va_end(args);
}

void verdict_add_evidence(struct verdict *v, uint64_t frame, int64_t time_ns, const char *fact,
                          const char *format, ...)
{
    struct evidence *e;
    va_list args;

    if (frame == 0 || v->evidence_count >= VERDICT_EVIDENCE_MAX)
        return;
    e = &v->evidence[v->evidence_count++];
    e->frame = frame;
    e->time_ns = time_ns;
    e->fact = fact;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
}

void verdict_add_advice(struct verdict *v, enum actor who, const char *change,
                        uint64_t value_bytes, double predicted_bytes_per_s, double predicted_s)
{
    if (v->advice_count >= VERDICT_ADVICE_MAX)
        return;
    v->advice[v->advice_count++] = (struct advice){
        .who = who,
        .change = change,
        .value_bytes = value_bytes,
        .predicted_bytes_per_s = predicted_bytes_per_s,
        .predicted_s = predicted_s,
    };
}

void verdict_rule_out(struct verdict *v, const char *note)
{
    if (v->ruled_out_count < VERDICT_NOTES_MAX)
        v->ruled_out[v->ruled_out_count++] = note;
}

void verdict_leave_open(struct verdict *v, const char *note)
{
    if (v->unknown_count < VERDICT_NOTES_MAX)
        v->unknown[v->unknown_count++] = note;
}

void verdict_add_bound(struct verdict *v, const char *prefix, const char *label,
                       double bytes_per_s)
{
    struct bound *b;

    if (!isfinite(bytes_per_s) || bytes_per_s < 0 || v->bound_count >= VERDICT_BOUNDS_MAX)
        return;
    b = &v->bounds[v->bound_count++];
    snprintf(b->name, sizeof b->name, "%.8s%.31s", prefix, label);
    b->bytes_per_s = bytes_per_s;
}
