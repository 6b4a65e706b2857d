/* Runs a command and writes its CPU seconds, peak resident KiB and exit status to a file.  A
 * small program of its own, because a child's peak includes what its parent held before exec.
 * Usage: measure RESULT-FILE COMMAND... */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;

    if (argc < 3) {
        fputs("usage: measure RESULT-FILE COMMAND...\n", stderr);
        return 2;
    }
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("measure");
        return 1;
    }
    FILE *out = fopen(argv[1], "w");
    if (out == NULL) {
        perror(argv[1]);
        return 1;
    }
    fprintf(out, "%.6f %ld %d\n", seconds(&usage.ru_utime) + seconds(&usage.ru_stime),
            usage.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return fclose(out) != 0;
}
