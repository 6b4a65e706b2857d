#include "capture/privileges.h"

#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Who to become. */
struct identity {
    uid_t uid;
    gid_t gid;
    const char *name; /* NULL = not in the list of users */
};

/* A number from the environment; false when it is not one. */
static bool read_id(const char *variable, unsigned *id)
{
    const char *text = getenv(variable);
    char *end;

    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    *id = (unsigned)value;
    return *end == '\0' && errno == 0 && value < UINT_MAX;
}

/* Who to become; *identity is left alone (root) when nobody is named.  False, with one line in
 * error, for an unknown user. */
static bool find_identity(const char *user, struct identity *identity, char *error, size_t size)
{
    unsigned uid, gid;

    if (user != NULL) {
        const struct passwd *entry = getpwnam(user);

        if (entry == NULL) {
            snprintf(error, size, "-Z: there is no user \"%.80s\". Name one who may own the files.",
                     user);
            return false;
        }
        *identity = (struct identity){entry->pw_uid, entry->pw_gid, user};
    } else if (read_id("SUDO_UID", &uid) && read_id("SUDO_GID", &gid)) {
        const struct passwd *entry = getpwuid(uid);

        *identity = (struct identity){uid, gid, entry != NULL ? entry->pw_name : NULL};
    }
    return true;
}

/* Change user, groups first; true when it happened and cannot be undone.  For root setgid and
 * setuid set the saved ids too. */
static bool become(const struct identity *identity)
{
    int groups = identity->name != NULL ? initgroups(identity->name, identity->gid)
                                        : setgroups(1, &identity->gid);

    if (groups != 0 || setgid(identity->gid) != 0 || setuid(identity->uid) != 0)
        return false;
    if (setuid(0) == 0 || seteuid(0) == 0) {
        errno = EPERM;
        return false;
    }
    return true;
}

/* No capability is left, and none comes back by starting another program. */
static bool drop_capabilities(void)
{
    capng_clear(CAPNG_SELECT_CAPS);
    return capng_apply(CAPNG_SELECT_CAPS) == 0 && capng_get_caps_process() == 0 &&
           capng_have_capabilities(CAPNG_SELECT_CAPS) == CAPNG_NONE &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

bool privileges_drop(const char *user, char *error, size_t error_size)
{
    struct identity identity = {0, 0, NULL};

    if (geteuid() == 0) {
        if (!find_identity(user, &identity, error, error_size))
            return false;
        if (identity.uid != 0 && !become(&identity)) {
            snprintf(error, error_size,
                     "privileges: root could not become user %u: %s. Use -Z root to stay root.",
                     (unsigned)identity.uid, strerror(errno));
            return false;
        }
    } else if (user != NULL) {
        snprintf(error, error_size, "-Z: only root can become another user. Leave it out.");
        return false;
    }
    if (!drop_capabilities()) {
        snprintf(error, error_size,
                 "privileges: they could not be given up: %s. Capture to a file with tcpdump -w "
                 "and read that.",
                 strerror(errno));
        return false;
    }
    return true;
}

void privileges_explain(char *text, size_t size)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    path[length > 0 ? length : 0] = '\0';
    snprintf(text, size, "Run with sudo, or once: sudo setcap cap_net_raw+ep %s",
             length > 0 ? path : "tcpwhy");
}
