#include "stop.h"

#include <signal.h>
#include <stddef.h>

/* The one variable of the program that changes: a signal handler has no other way to say so. */
static volatile sig_atomic_t received;

static void mark(int number)
{
    received = number;
}

void stop_install(void)
{
    /* no SA_RESTART: a wait for packets ends at once */
    struct sigaction marking = {.sa_handler = mark, .sa_flags = SA_RESETHAND};
    struct sigaction ignoring = {.sa_handler = SIG_IGN};

    sigemptyset(&marking.sa_mask);
    sigemptyset(&ignoring.sa_mask);
    sigaction(SIGINT, &marking, NULL);
    sigaction(SIGTERM, &marking, NULL);
    sigaction(SIGHUP, &marking, NULL);
    sigaction(SIGPIPE, &ignoring, NULL);
}

bool stop_requested(void)
{
    return received != 0;
}

void stop_reraise(void)
{
    if (received == SIGTERM || received == SIGHUP)
        raise(received);
}
