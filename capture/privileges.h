/* Giving up rights once a device is open. */
#ifndef TCPWHY_CAPTURE_PRIVILEGES_H
#define TCPWHY_CAPTURE_PRIVILEGES_H

#include <stdbool.h>
#include <stddef.h>

/* As root become user, or, when user is NULL, who called sudo (SUDO_UID, SUDO_GID); root itself
 * stays root when nobody called sudo.  In every case all capabilities are dropped, and none can be
 * gained again.  False, with one line in error, when that did not work: do not go on then. */
bool privileges_drop(const char *user, char *error, size_t error_size);

/* How to get the rights to capture: "Run with sudo, or once: sudo setcap ... PATH". */
void privileges_explain(char *text, size_t size);

#endif
