#include "run.h"

#include <time.h>

#include "progress.h"
#include "stop.h"

#define BATCH 32
/* Full batches between two looks at the clock. */
#define BATCHES_PER_LOOK 64
#define DRAIN_S 0.25

static double clock_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void note_time(struct run *run, int64_t time_ns)
{
    if (time_ns == PACKET_TIME_UNKNOWN)
        return;
    if (run->first_ns == INT64_MIN || time_ns < run->first_ns)
        run->first_ns = time_ns;
    if (time_ns > run->last_ns)
        run->last_ns = time_ns;
}

/* Feed what is held of a batch. */
static void feed_held(struct analyzer *analyzer, const struct segment *batch, size_t *held)
{
    if (*held > 0)
        analyzer_feed(analyzer, batch, *held);
    *held = 0;
}

/* Decode a batch and feed it: segments together, a notice between those before and after it.
 * Several files are numbered as one: their packets' own numbers would clash. */
static void feed_batch(struct analyzer *analyzer, struct packet *packets, int count, bool renumber,
                       struct run *run)
{
    struct segment batch[BATCH];
    struct notice notice;
    size_t held = 0;

    for (int i = 0; i < count; i++) {
        note_time(run, packets[i].time_ns);
        if (renumber)
            packets[i].frame = run->counts.packets + 1;
        enum decode_result result =
            decode_packet(&packets[i], true, &run->counts, &batch[held], &notice);

        if (result == DECODE_SEGMENT) {
            held++;
        } else if (result == DECODE_NOTICE) {
            feed_held(analyzer, batch, &held);
            analyzer_notice(analyzer, &notice);
        }
    }
    feed_held(analyzer, batch, &held);
}

/* Tell the analyzer what was lost so far. */
static void report_drops(const struct source *source, struct analyzer *analyzer)
{
    uint64_t drops = 0;

    for (int i = 0; i < source_count(source); i++) {
        const struct source_facts *facts = source_facts(source, i);

        drops += facts->dropped_kernel + facts->dropped_interface;
    }
    analyzer_set_drops(analyzer, drops);
}

/* One batch: saved, decoded, fed.  Returns what source_read did. */
static int take_batch(struct source *source, struct analyzer *analyzer, struct save *save,
                      struct run *run)
{
    struct packet *packets;
    int count = source_read(source, &packets, BATCH);

    if (count <= 0)
        return count;
    if (save != NULL && run->save_error[0] == '\0')
        save_packets(save, packets, count, run->save_error);
    feed_batch(analyzer, packets, count, source_count(source) > 1, run);
    return count;
}

/* A device's packets that came before the end but still wait in the kernel or in the in-order
 * stage: read until nothing comes, for a bounded time. */
static void drain(struct source *source, struct analyzer *analyzer, struct save *save,
                  struct run *run)
{
    double start_s = clock_s();

    while (take_batch(source, analyzer, save, run) > 0 && clock_s() - start_s < DRAIN_S)
        ;
}

void run_read(struct source *source, struct analyzer *analyzer, struct save *save,
              const struct options *options, struct run *run)
{
    struct progress progress;
    double start_s = clock_s();
    int count = 0, batches = 0;

    *run = (struct run){
        .counts.first_unsupported_link = -1, .first_ns = INT64_MIN, .last_ns = INT64_MIN};
    progress_init(&progress, options);
    while (!stop_requested()) {
        count = take_batch(source, analyzer, save, run);
        if (count < 0)
            break;
        if (count == BATCH && ++batches % BATCHES_PER_LOOK != 0)
            continue;
        double elapsed_s = clock_s() - start_s;
        if (options->duration_s > 0 && elapsed_s >= options->duration_s)
            break;
        progress_update(&progress, source, elapsed_s);
    }
    progress_end(&progress);
    if (count >= 0 && options->device != NULL)
        drain(source, analyzer, save, run);
    report_drops(source, analyzer);
    run->failed = count == SOURCE_FAILED;
}
