/* The capture as reports show it, gathered from the source and the decoder. */
#ifndef TCPWHY_INFO_H
#define TCPWHY_INFO_H

#include "report/capture_info.h"
#include "run.h"

/* Fill *info.  Returns info->files, which the caller frees; all text stays the source's. */
struct capture_file *info_fill(struct capture_info *info, const struct source *source,
                               const struct run *run);

#endif
