#include "report/advice.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/note_codes.h"
#include "report/units.h"
#include "report/words.h"
#include "xmalloc.h"

/* An ADVICE_ word: the remedy with and without a figure; %A is who, %V the figure. */
static const struct remedy {
    const char *change, *with_value, *without_value, *settings;
} remedies[] = {
    {ADVICE_RECEIVE_BUFFER, "on the %A, a receive buffer of at least %V",
     "on the %A, a larger receive buffer",
     "Linux: third value of net.ipv4.tcp_rmem, or SO_RCVBUF in the program (net.core.rmem_max "
     "caps it). Windows: netsh int tcp set global autotuninglevel=normal. AIX: no -o "
     "tcp_recvspace, with rfc1323=1 and sb_max. IBM i: CHGTCPA TCPRCVBUF. z/OS: TCPCONFIG "
     "TCPRCVBUFRSIZE and TCPMAXRCVBUFRSIZE. Solaris: tcp_recv_hiwat (ndd), or ipadm set-prop -p "
     "recv_buf."},
    {ADVICE_WINDOW_SCALING,
     "on the %A, window scaling (RFC 7323) switched on, so that a window of %V can be offered",
     "on the %A, window scaling (RFC 7323) switched on",
     "Linux: net.ipv4.tcp_window_scaling=1. Windows: netsh int tcp set global "
     "autotuninglevel=normal. AIX: no -o rfc1323=1. IBM i: on when TCPRCVBUF of CHGTCPA is above "
     "65,535. z/OS: on when TCPRCVBUFRSIZE is above 65,535. Solaris: tcp_wscale_always. "
     "A firewall between the two may also remove the option."},
    {ADVICE_REUSE_CONNECTION,
     "keep one connection for many files, or send them as one archive: the window then stays grown",
     "keep one connection for many files, or send them as one archive: the window then stays grown",
     NULL},
    {ADVICE_INITIAL_WINDOW, "on the %A, an initial window of ten segments, %V (RFC 6928)",
     "on the %A, an initial window of ten segments (RFC 6928)",
     "Linux: ip route change ... initcwnd 10 (the default since 2.6.39). Windows: "
     "Set-NetTCPSetting -InitialCongestionWindowMss 10. AIX: no -o tcp_init_window, with "
     "rfc2414=1. Solaris: tcp_slow_start_initial (ndd)."},
    {ADVICE_CLIENT_LOG, "look in the client's log, and ask who or what stopped it",
     "look in the client's log, and ask who or what stopped it", NULL},
    {ADVICE_SERVER_LOG, "look in the server's log for why it stopped",
     "look in the server's log for why it stopped", NULL},
    {ADVICE_RECAPTURE,
     "capture again, both directions and without drops (tcpdump -s 128 -B 65536), from before the "
     "connection opens",
     "capture again, both directions and without drops (tcpdump -s 128 -B 65536), from before the "
     "connection opens",
     NULL},
    {ADVICE_FIND_LOSS,
     "find where on the path packets vanish: error counters of ports, cables, optics, radio links, "
     "both ends of a link at the same speed and duplex",
     "find where on the path packets vanish: error counters of ports, cables, optics, radio links, "
     "both ends of a link at the same speed and duplex",
     "Linux: ethtool -S, ip -s link. Windows: netstat -e. AIX: entstat -d. Switches: CRC, FCS and "
     "late-collision counters."},
    {ADVICE_LOSS_TOLERANT,
     "on the %A, a congestion control that a single loss does not halve, or parallel connections",
     "on the %A, a congestion control that a single loss does not halve, or parallel connections",
     "Linux: net.ipv4.tcp_congestion_control=bbr (or cubic instead of reno). Windows: "
     "Set-NetTCPSetting -CongestionProvider CUBIC."},
    {ADVICE_QUEUE_MANAGEMENT,
     "at the bottleneck, a queue that shares and signals early instead of overflowing (fq_codel, "
     "CAKE, RED with ECN), or more capacity; the link is what it is",
     "at the bottleneck, a queue that shares and signals early instead of overflowing (fq_codel, "
     "CAKE, RED with ECN), or more capacity; the link is what it is",
     "Linux router: tc qdisc replace dev IF root fq_codel (or cake). ECN at the ends: Linux "
     "net.ipv4.tcp_ecn=1; Windows netsh int tcp set global ecncapability=enabled."},
    {ADVICE_CAPACITY,
     "the queue at the bottleneck signals early as it should: only more capacity there, or a larger "
     "share of it, makes this faster",
     "the queue at the bottleneck signals early as it should: only more capacity there, or a larger "
     "share of it, makes this faster",
     NULL},
    {ADVICE_PACING, "on the %A, pacing, so that bursts do not fill the queue at once",
     "on the %A, pacing, so that bursts do not fill the queue at once",
     "Linux: tc qdisc replace dev IF root fq, or net.ipv4.tcp_congestion_control=bbr; a limit by "
     "SO_MAX_PACING_RATE."},
    {ADVICE_POLICER_RATE,
     "ask who runs the network for a higher rate, or for shaping (a queue) instead of policing",
     "ask who runs the network for a higher rate, or for shaping (a queue) instead of policing",
     NULL},
    {ADVICE_SHAPE, "on the %A, shape what is sent to %V a second, just below the limit",
     "on the %A, shape what is sent to just below the limit",
     "Linux: tc qdisc add dev IF root tbf rate ... (or fq maxrate ...); in the program "
     "SO_MAX_PACING_RATE, or the rate option of the client (curl --limit-rate, lftp "
     "net:limit-total-rate)."},
    {ADVICE_SACK, "on the %A, selective acknowledgments (SACK, RFC 2018) switched on",
     "on the %A, selective acknowledgments (SACK, RFC 2018) switched on",
     "Linux: net.ipv4.tcp_sack=1. Windows: on by default (SackOpts=1). AIX: no -o sack=1. Solaris: "
     "tcp_sack_permitted=2 (ndd), or ipadm set-prop -p sack=active. "
     "A firewall between the two may also remove the option."},
    {ADVICE_TAIL_LOSS,
     "on the %A, loss recovery that does without the timer (SACK with RACK and tail loss probes, "
     "RFC 8985)",
     "on the %A, loss recovery that does without the timer (SACK with RACK and tail loss probes, "
     "RFC 8985)",
     "Linux: net.ipv4.tcp_sack=1, tcp_recovery=1, tcp_early_retrans=3 (the defaults)."},
};

bool advice_is_upper_bound(const struct verdict *verdict)
{
    for (int i = 0; i < verdict->unknown_count; i++)
        if (strcmp(verdict->unknown[i], NOTE_LINK_RATE) == 0)
            return true;
    return false;
}

static const struct remedy *find_remedy(const char *change)
{
    for (size_t i = 0; change != NULL && i < sizeof remedies / sizeof remedies[0]; i++)
        if (strcmp(remedies[i].change, change) == 0)
            return &remedies[i];
    return NULL;
}

/* template with %A and %V filled in; the caller frees it. */
static char *fill(const char *template, const char *actor, const char *value)
{
    const size_t room = strlen(template) + strlen(actor) + strlen(value) + 1;
    char *text = xmalloc(room), *out = text;

    for (const char *in = template; *in != '\0'; in++) {
        const char *word = in[0] != '%' ? NULL : in[1] == 'A' ? actor : in[1] == 'V' ? value : NULL;

        if (word == NULL) {
            *out++ = *in;
            continue;
        }
        out = stpcpy(out, word);
        in++;
    }
    *out = '\0';
    return text;
}

/* ": about 110 s at 238 kB/s", as far as it is predicted; the caller frees it. */
static char *prediction(const struct advice *a, bool upper_bound, bool bits)
{
    const char *word = upper_bound ? "at best" : "about";

    if (a->predicted_s >= 0 && a->predicted_bytes_per_s >= 0)
        return xasprintf(": %s %s at %s", word, units_seconds(a->predicted_s).text,
                         units_rate_short(a->predicted_bytes_per_s, bits).text);
    if (a->predicted_s >= 0)
        return xasprintf(": %s %s", word, units_seconds(a->predicted_s).text);
    if (a->predicted_bytes_per_s >= 0)
        return xasprintf(": %s %s", word, units_rate_short(a->predicted_bytes_per_s, bits).text);
    return xstrdup("");
}

char *advice_sentence(const struct advice *a, bool upper_bound, bool bits)
{
    const struct remedy *remedy = find_remedy(a->change);
    const bool valued = a->value_bytes != BYTES_UNKNOWN;
    char *what, *expected, *sentence;

    if (remedy == NULL) /* a word without a sentence is still worth showing */
        what = xasprintf("%s: %s", words_actor(a->who), a->change != NULL ? a->change : "unknown");
    else
        what = fill(valued ? remedy->with_value : remedy->without_value, words_actor(a->who),
                    units_bytes(a->value_bytes).text);
    expected = prediction(a, upper_bound, bits);
    sentence = xasprintf("%s%s", what, expected);
    free(what);
    free(expected);
    return sentence;
}

const char *advice_settings(const struct advice *a)
{
    const struct remedy *remedy = find_remedy(a->change);

    return remedy != NULL ? remedy->settings : NULL;
}
