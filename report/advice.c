#include "report/advice.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/cause/note_codes.h"
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
    {ADVICE_ACCELERATOR, "a performance enhancing proxy at both ends of the long leg (RFC 3135)",
     "a performance enhancing proxy at both ends of the long leg (RFC 3135)", NULL},
    {ADVICE_CONGESTION_CONTROL,
     "on the %A, a congestion control whose window grows by time rather than by round trips",
     "on the %A, a congestion control whose window grows by time rather than by round trips",
     "Linux: net.ipv4.tcp_congestion_control=cubic, or bbr with net.core.default_qdisc=fq. Windows: "
     "Set-NetTCPSetting -CongestionProvider CUBIC."},
    {ADVICE_PARALLEL_STREAMS, "send over several connections at once: each window grows by itself",
     "send over several connections at once: each window grows by itself", NULL},
    {ADVICE_RATE_LIMIT, "on the %A, look for a rate limit of the program, the socket or the queue",
     "on the %A, look for a rate limit of the program, the socket or the queue",
     "Linux: SO_MAX_PACING_RATE or --limit-rate of the program, tc qdisc show. Windows: "
     "Get-NetQosPolicy."},
    {ADVICE_SLOW_START_AFTER_IDLE,
     "on the %A, let the window stay as it is over a pause, or leave no pauses in the data",
     "on the %A, let the window stay as it is over a pause, or leave no pauses in the data",
     "Linux: net.ipv4.tcp_slow_start_after_idle=0. Windows: Set-NetTCPSetting -CwndRestart False. "
     "Solaris: tcp_slow_start_after_idle (ndd)."},
    {ADVICE_BINARY_TYPE, "send it as it is: TYPE I (\"binary\" in most clients)",
     "send it as it is: TYPE I (\"binary\" in most clients)",
     "IBM i: BIN subcommand of FTP, or a stream file of the right CCSID. z/OS: LOCSITE and SITE with "
     "binary, or EBCDIC between hosts of the kind."},
    {ADVICE_MIDDLEBOX_SCALING,
     "in the %A, the firewall or router that takes the window scale option out or changes it must "
     "leave it as it is, or be gone round: then a window of %V counts",
     "in the %A, the firewall or router that takes the window scale option out or changes it must "
     "leave it as it is, or be gone round",
     "Capture on both sides of each box and compare the SYNs. Until then, without scaling at all "
     "the window is 65,535 at least: Linux net.ipv4.tcp_window_scaling=0, AIX no -o rfc1323=0, "
     "Windows netsh int tcp set global autotuninglevel=disabled."},
    {ADVICE_MSS, "on the %A, an MTU that the path takes, for segments of up to %V",
     "on the %A, an MTU that the path takes",
     "AIX: no -o subnetsarelocal=1, or tcp_mssdflt and the route's mtu. IBM i: ADDTCPRTE MTU(*IFC) "
     "(576 on old releases). z/OS: MTU of the route in BEGINROUTES. Linux: ip route change ... "
     "mtu and advmss. Windows: netsh interface ipv4 set subinterface mtu=. Solaris: ifconfig mtu. "
     "Routers: the value of ip tcp adjust-mss."},
    {ADVICE_READ_SIZE, "on the %A, let the program read more at once",
     "on the %A, let the program read more at once",
     "Programs: recv() of 64 KiB and more, or SO_RCVLOWAT. FTP clients and servers: their buffer or "
     "block size."},
    {ADVICE_RECEIVING_PROGRAM,
     "on the %A, find what keeps the receiving program from reading: its disk, its CPU, or itself",
     "on the %A, find what keeps the receiving program from reading: its disk, its CPU, or itself",
     "Linux: iostat -x 1, vmstat 1, strace -c. z/VM: PERFKIT or INDICATE. Windows: Resource "
     "Monitor. AIX: iostat, sar -d. IBM i: WRKDSKSTS, WRKSYSSTS, WRKACTJOB. z/OS: RMF device "
     "activity. Solaris: iostat -xn."},
    {ADVICE_SMALLER_MTU, "on the %A's interface a smaller MTU, so that four segments and more fit "
                         "the window",
     "on the %A's interface a smaller MTU, so that four segments and more fit the window",
     "Linux: ip link set dev ... mtu. HiperSockets: a smaller maximum frame size (24 KB: MTU 16384, "
     "16 KB: 8192). z/OS: MTU of the route in BEGINROUTES. AIX: chdev -l en0 -a mtu=. IBM i: MTU of "
     "ADDTCPIFC."},
    {ADVICE_STORAGE, "on the %A, a faster disk or file system for this file; a larger cache only "
                     "moves the point where it is full",
     "on the %A, a faster disk or file system for this file; a larger cache only moves the point "
     "where it is full",
     "Linux: vm.dirty_background_bytes and vm.dirty_bytes spread the writing out; readahead by "
     "blockdev --setra. AIX: ioo j2_maxRandomWrite, minpout and maxpout. IBM i: more disk arms, a "
     "stream file instead of a save file. z/OS: BUFNO and striping. Windows: the disk's write "
     "cache policy."},
    {ADVICE_SEND_BUFFER, "on the %A, a send buffer of at least %V", "on the %A, a larger send buffer",
     "Linux: third value of net.ipv4.tcp_wmem, or leave SO_SNDBUF alone in the program "
     "(net.core.wmem_max caps it). Windows: SO_SNDBUF in the program, 0 or large with overlapped "
     "sends. AIX: no -o tcp_sendspace, and sb_max. IBM i: CHGTCPA TCPSNDBUF. z/OS: TCPCONFIG "
     "TCPSENDBFRSIZE. Solaris: tcp_xmit_hiwat (ndd), or ipadm set-prop -p send_buf."},
    {ADVICE_APPLICATION_WINDOW,
     "on the %A, a version or setting of the program with a window of at least %V, or several "
     "connections",
     "on the %A, a version or setting of the program with a larger window, or several connections",
     "SSH: OpenSSH 4.7 and later (2 MB a channel), HPN-SSH for more; sftp -R and -B. SMB: more "
     "credits, larger MaxCredits, multichannel. NFS: rsize and wsize, nconnect, more slots."},
    {ADVICE_SENDING_PROGRAM,
     "on the %A, find what keeps the sending program from sending: its disk, its CPU, or itself",
     "on the %A, find what keeps the sending program from sending: its disk, its CPU, or itself",
     "Linux: iostat -x 1, vmstat 1, strace -c; blockdev --setra for read-ahead. z/VM: PERFKIT or "
     "INDICATE. Windows: Resource Monitor. AIX: iostat, sar -d, ioo j2_maxPageReadAhead. IBM i: "
     "WRKDSKSTS, WRKSYSSTS, WRKACTJOB. z/OS: RMF device activity, BUFNO. Solaris: iostat -xn."},
    {ADVICE_NODELAY,
     "on the %A, let the program write whole messages at once, or switch Nagle's algorithm off",
     "on the %A, let the program write whole messages at once, or switch Nagle's algorithm off",
     "Programs: TCP_NODELAY, writev() instead of two writes, writes of many segments. AIX: no -o "
     "tcp_nagle_limit=1. Windows: TcpNoDelay of the interface. z/OS: NODELAYACKS, TCP_NODELAY. "
     "Solaris: tcp_naglim_def=1 (ndd)."},
    {ADVICE_DELAYED_ACK, "on the %A, acknowledgments that are not held back",
     "on the %A, acknowledgments that are not held back",
     "Linux: TCP_QUICKACK in the program, ip route change ... quickack 1. Windows: TcpAckFrequency=1 "
     "of the interface. AIX: no -o tcp_nodelayack=1. z/OS: NODELAYACKS on the port or route. "
     "Solaris: tcp_deferred_ack_interval (ndd)."},
    {ADVICE_CIPHER, "on the %A, a cipher that its CPU helps with, or several streams",
     "on the %A, a cipher that its CPU helps with, or several streams",
     "OpenSSH: -c aes128-gcm@openssh.com. OpenSSL: openssl speed -evp aes-128-gcm shows the "
     "ceiling. z: CPACF. POWER: in-core AES (AIX, IBM i)."},
    {ADVICE_OFFLOAD, "on the %A, larger segments for the adapter and fewer interrupts",
     "on the %A, larger segments for the adapter and fewer interrupts",
     "Linux: ethtool -K IF tso on gso on gro on, ethtool -C for coalescing. AIX: chdev -l en0 -a "
     "largesend=1. Windows: Set-NetAdapterLso. z/VM: share and relative priority of the guest, "
     "QDIO buffer_count=128."},
    {ADVICE_LARGER_TURNS, "ask for more at once: %V a turn", "ask for more at once",
     "FTP and copies of many files: one archive. NFS: rsize and wsize. SMB: larger reads. AMS: "
     "larger pages, 64 KB. Databases: array fetch size."},
    {ADVICE_PIPELINE, "ask again before the answer has come: read-ahead, or several requests at once",
     "ask again before the answer has come: read-ahead, or several requests at once",
     "sftp -R, lftp mirror --parallel, NFS read-ahead, more client threads."},
    {ADVICE_SERVER_TIME, "on the %A, find what it does before it answers: CPU, disk, locks",
     "on the %A, find what it does before it answers: CPU, disk, locks",
     "Linux: perf top, iostat -x 1, strace -c -p. Windows: Resource Monitor. AIX: tprof, iostat. "
     "IBM i: WRKACTJOB, WRKSYSSTS, WRKDSKSTS. z/OS: RMF. z/VM: PERFKIT or INDICATE."},
    {ADVICE_UPDATE_STACK, "on the %A, a newer TCP, or the driver or box that answers in its place",
     "on the %A, a newer TCP, or the driver or box that answers in its place",
     "Linux: net.ipv4.tcp_shrink_window=0 (the default). A capture at the host itself tells its own "
     "windows from those of a box on the way."},
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
     "only more capacity at the bottleneck, or a larger share of it, makes this faster",
     "only more capacity at the bottleneck, or a larger share of it, makes this faster",
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
    {ADVICE_ALLOW_ICMP,
     "let ICMP \"fragmentation needed\" (type 3 code 4) and ICMPv6 \"packet too big\" pass every "
     "firewall on the path",
     "let ICMP \"fragmentation needed\" (type 3 code 4) and ICMPv6 \"packet too big\" pass every "
     "firewall on the path",
     "Linux: iptables -A FORWARD -p icmp --icmp-type fragmentation-needed -j ACCEPT. Cisco: permit "
     "icmp any any packet-too-big. On the hosts path MTU discovery can be watched with tracepath."},
    {ADVICE_CLAMP_MSS, "clamp the MSS where the smaller MTU begins, to %V or what its MTU allows",
     "clamp the MSS where the smaller MTU begins, to its MTU less 40 bytes",
     "Linux router: iptables -t mangle -A FORWARD -p tcp --tcp-flags SYN,RST SYN -j TCPMSS "
     "--clamp-mss-to-pmtu. Cisco: ip tcp adjust-mss."},
    {ADVICE_MTU_PROBING, "on the %A, a sender that finds the path's MTU without ICMP (RFC 4821)",
     "on the %A, a sender that finds the path's MTU without ICMP (RFC 4821)",
     "Linux: net.ipv4.tcp_mtu_probing=1. Windows: EnablePMTUBHDetect=1 (registry, older releases). "
     "AIX: a route or interface with a smaller mtu. IBM i: CHGTCPA IPPATHMTU, or the route's MTU."},
    {ADVICE_ALIGN_MTU, "set the same MTU on both ends and on what is between, here %V",
     "set the same MTU on both ends and on what is between",
     "Linux: ip link set dev IF mtu ... Windows: netsh interface ipv4 set subinterface IF mtu=... "
     "AIX: chdev -l en0 -a mtu=... IBM i: MTU of the route or line. z/OS: MTU of the "
     "route."},
    {ADVICE_KEEP_ORDER,
     "keep the packets of one connection on one way: per-flow hashing on link bundles and "
     "equal-cost routes instead of per-packet",
     "keep the packets of one connection on one way: per-flow hashing on link bundles and "
     "equal-cost routes instead of per-packet",
     "Linux: bonding xmit_hash_policy=layer3+4 (not balance-rr); "
     "net.ipv4.fib_multipath_hash_policy=1. Cisco: ip load-sharing per-destination."},
    {ADVICE_REORDER_TOLERANT,
     "on the %A, loss detection that waits for late packets (RACK, RFC 8985) and undoes its cuts "
     "(D-SACK, timestamps)",
     "on the %A, loss detection that waits for late packets (RACK, RFC 8985) and undoes its cuts "
     "(D-SACK, timestamps)",
     "Linux: net.ipv4.tcp_recovery=1, tcp_dsack=1, tcp_timestamps=1; tcp_reordering sets where it "
     "starts."},
    {ADVICE_RTO_LEAST, "on the %A, a longer least retransmission time-out, and F-RTO",
     "on the %A, a longer least retransmission time-out, and F-RTO",
     "Linux: ip route change ... rto_min 400ms; net.ipv4.tcp_frto=2. Windows: Set-NetTCPSetting "
     "-MinRto 300. IBM i: the least retransmit time of CHGTCPA."},
    {ADVICE_DUPLEX,
     "set both ends of each link on the way to automatic negotiation, or both to the same speed "
     "and duplex, and look at late collisions and FCS errors",
     "set both ends of each link on the way to automatic negotiation, or both to the same speed "
     "and duplex, and look at late collisions and FCS errors",
     "Linux: ethtool IF, ethtool -s IF autoneg on. Windows: the adapter's Speed & Duplex. AIX: "
     "lsattr -El ent0 -a media_speed. Cisco: show interfaces (late collisions)."},
    {ADVICE_RADIO, "look at the radio link: signal, channel, retries, distance",
     "look at the radio link: signal, channel, retries, distance",
     "Linux: iw dev IF station dump. Windows: netsh wlan show interfaces."},
    {ADVICE_ROUTING, "ask why the route changed: flapping links, routing protocol, load balancer",
     "ask why the route changed: flapping links, routing protocol, load balancer",
     "traceroute or mtr before and after; the router's log."},
    {ADVICE_TAIL_LOSS,
     "on the %A, loss recovery that does without the timer (SACK with RACK and tail loss probes, "
     "RFC 8985)",
     "on the %A, loss recovery that does without the timer (SACK with RACK and tail loss probes, "
     "RFC 8985)",
     "Linux: net.ipv4.tcp_sack=1, tcp_recovery=1, tcp_early_retrans=3 (the defaults)."},
    {ADVICE_WRITE_SIZE, "on the %A, a program that writes %V at a time, whole segments",
     "on the %A, a program that writes more at a time",
     "ftp, rcp and tar have a block or buffer size; a program writes whole segments from a buffer "
     "of many (setvbuf, bufsiz), or lets the system gather them (Linux: TCP_CORK, MSG_MORE)."},
    {ADVICE_ACK_PRIORITY, "on the way back, priority for acknowledgments, or less other traffic",
     "on the way back, priority for acknowledgments, or less other traffic",
     "Queue management on the sending side of the slow link (fq_codel, CAKE with ack-filter), or a "
     "limit below its rate for the traffic that fills it."},
    {ADVICE_COALESCING, "on the %A, less merging of received packets",
     "on the %A, less merging of received packets",
     "Linux: ethtool -C DEV rx-usecs, ethtool -K DEV gro off lro off. AIX: chdev "
     "large_receive=no. Windows: Disable-NetAdapterRsc."},
    {ADVICE_FEWER_STREAMS, "fewer connections at once: this one alone would have all of the rate",
     "fewer connections at once: this one alone would have all of the rate",
     "GridFTP and bbftp: -p; bbcp: -s; lftp: pget -n and mirror --parallel; robocopy: /MT; otherwise "
     "a queue before the programs."},
    {ADVICE_BOTH_LEGS, "capture and tune both sides of the box that splits the connection",
     "capture and tune both sides of the box that splits the connection",
     "A WAN optimiser, satellite PEP, proxy or firewall with SYN proxy: its own buffers and windows, "
     "or an exception for this traffic."},
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
