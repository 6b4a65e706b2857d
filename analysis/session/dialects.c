#include "analysis/session/dialogue.h"

#include "analysis/session/ftp.h"

const struct dialect *const dialects[] = {
    &ftp_dialect,
    NULL,
};
