#include "analysis/result.h"

const char *phase_name(enum phase_kind kind)
{
    static const char *const names[PHASE_KINDS] = {
        [PHASE_NAME_LOOKUP] = "name_lookup",
        [PHASE_CONNECT] = "connect",
        [PHASE_GREETING] = "greeting",
        [PHASE_LOGIN] = "login",
        [PHASE_COMMAND] = "command",
        [PHASE_DATA_CONNECT] = "data_connect",
        [PHASE_OPEN] = "open",
        [PHASE_SLOW_START] = "slow_start",
        [PHASE_BULK] = "bulk",
        [PHASE_TAIL] = "tail",
        [PHASE_CLOSE] = "close",
        [PHASE_ABORT] = "abort",
    };

    return kind < PHASE_KINDS ? names[kind] : "unknown";
}
