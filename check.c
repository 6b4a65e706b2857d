#include "check.h"

#include <stdlib.h>

#include "analysis/cause/causes.h"
#include "xmalloc.h"

/* True when the cause says that nothing could be judged. */
static bool is_no_evidence(int cause)
{
    return cause == 0 || cause == cause_id("capture_unfit") || cause == cause_id("too_short");
}

int check_causes(const int *cause_ids, size_t count, int cause)
{
    bool judged = false;

    for (size_t i = 0; i < count; i++) {
        bool limits = !is_no_evidence(cause_ids[i]) && cause_ids[i] != cause_id("healthy");

        if (cause == 0 ? limits : cause_ids[i] == cause)
            return EXIT_LIMITED;
        judged = judged || !is_no_evidence(cause_ids[i]);
    }
    return judged ? EXIT_DONE : EXIT_NO_EVIDENCE;
}

int check_exit_status(const struct analyzer *analysis, int cause, uint64_t only_flow)
{
    size_t total = analyzer_transfer_count(analysis), count = 0;
    int *causes = xcalloc(total + 1, sizeof *causes);

    for (size_t i = 0; i < total; i++) {
        const struct transfer_result *transfer = analyzer_transfer(analysis, i);

        if (only_flow == 0 || transfer->flow_id == only_flow)
            causes[count++] = transfer->verdict.cause_id;
    }
    int status = check_causes(causes, count, cause);
    free(causes);
    return status;
}
