/* The stable words of verdicts, as they stand in the JSON.  analysis/ chooses them; report/ has
 * the sentences.  A word that has been published is never renamed (CONTRACT.md section 3). */
#ifndef TCPWHY_ANALYSIS_NOTE_CODES_H
#define TCPWHY_ANALYSIS_NOTE_CODES_H

/* verdict.ruled_out: what the capture shows not to be the cause. */
#define NOTE_LOSS "loss"
#define NOTE_RECEIVE_WINDOW "receive_window"
#define NOTE_SENDER "sender"                             /* sending program, disk or buffer */
#define NOTE_RECEIVER_APPLICATION "receiver_application" /* receiving program, disk or CPU */
#define NOTE_CONGESTION_WINDOW "congestion_window"
#define NOTE_FULL_QUEUE "full_queue"                     /* losses came without one */
#define NOTE_LINK "link"                                 /* below 80 % of --link */
#define NOTE_STORAGE_CEILINGS "storage_ceilings"         /* none of --ceiling fits the rate */

/* verdict.unknown: what this capture cannot tell. */
#define NOTE_ONE_WAY_DELAY "one_way_delay"
#define NOTE_ROUND_TRIP_TIME "round_trip_time"           /* no sample, no handshake */
#define NOTE_WINDOW_SCALE "window_scale"                 /* no SYN: windows are lower bounds */
#define NOTE_WINDOW_EXCEEDED "window_exceeded"           /* more in flight than it allows */
#define NOTE_RECEIVER_CPU_OR_DISK "receiver_cpu_or_disk" /* look alike: the window closes */
#define NOTE_SENDER_BUFFER "sender_buffer"               /* looks like the congestion window */
#define NOTE_COMPETING_TRAFFIC "competing_traffic"
#define NOTE_SENDER_SIDE_LOSS "sender_side_loss"         /* where losses were: unknown tap */
#define NOTE_LINK_RATE "link_rate"                       /* no --link: predictions are "up to" */

/* advice.change */
#define ADVICE_RECEIVE_BUFFER "receive_buffer"     /* value_bytes: at least so large */
#define ADVICE_WINDOW_SCALING "window_scaling"     /* RFC 7323; value_bytes: window it must allow */
#define ADVICE_REUSE_CONNECTION "reuse_connection" /* keep the window grown: one connection */
#define ADVICE_INITIAL_WINDOW "initial_window"     /* RFC 6928; value_bytes: ten segments */
#define ADVICE_CLIENT_LOG "client_log"             /* look why the client stopped */
#define ADVICE_SERVER_LOG "server_log"             /* look why the server stopped */
#define ADVICE_RECAPTURE "recapture"
#define ADVICE_FIND_LOSS "find_loss"               /* where packets vanish: errors, duplex, optics */
#define ADVICE_LOSS_TOLERANT "loss_tolerant"       /* congestion control that loss does not halve */
#define ADVICE_QUEUE_MANAGEMENT "queue_management" /* AQM, shares: a queue that does not overflow */
#define ADVICE_CAPACITY "capacity"                 /* the queue does what it can */
#define ADVICE_PACING "pacing"                     /* spread what is sent at once */
#define ADVICE_POLICER_RATE "policer_rate"         /* a higher rate, or shaping instead */
#define ADVICE_SHAPE "shape"                       /* value_bytes: a second, below the policer's */
#define ADVICE_SACK "sack"                         /* RFC 2018, at the end that does not offer it */
#define ADVICE_ALLOW_ICMP "allow_icmp"             /* 3/4 and packet too big must pass */
#define ADVICE_CLAMP_MSS "clamp_mss"               /* value_bytes: what is known to pass */
#define ADVICE_MTU_PROBING "mtu_probing"           /* RFC 4821 */
#define ADVICE_ALIGN_MTU "align_mtu"               /* value_bytes: what the router says */
#define ADVICE_KEEP_ORDER "keep_order"             /* one way through the network a flow */
#define ADVICE_REORDER_TOLERANT "reorder_tolerant" /* RACK, RFC 8985 */
#define ADVICE_RTO_LEAST "rto_least"               /* a longer least time-out */
#define ADVICE_DUPLEX "duplex"
#define ADVICE_RADIO "radio"
#define ADVICE_ROUTING "routing"
#define ADVICE_TAIL_LOSS "tail_loss"               /* RACK-TLP, RFC 8985 */
#define ADVICE_BINARY_TYPE "binary_type"           /* FTP: TYPE I */
#define ADVICE_MIDDLEBOX_SCALING "middlebox_scaling" /* leave RFC 7323's option as it is */
#define ADVICE_MSS "mss"                           /* value_bytes: segment size that the path takes */
#define ADVICE_READ_SIZE "read_size"               /* read more at once */
#define ADVICE_RECEIVING_PROGRAM "receiving_program" /* what keeps it from reading */
#define ADVICE_SMALLER_MTU "smaller_mtu"
#define ADVICE_STORAGE "storage"                   /* faster disk, or less through the cache */
#define ADVICE_SEND_BUFFER "send_buffer"           /* value_bytes: at least so large */
#define ADVICE_APPLICATION_WINDOW "application_window" /* the protocol's own; value_bytes */
#define ADVICE_SENDING_PROGRAM "sending_program"   /* what keeps it from sending */
#define ADVICE_NODELAY "nodelay"                   /* TCP_NODELAY, or whole segments a write */
#define ADVICE_DELAYED_ACK "delayed_ack"           /* acknowledge at once */
#define ADVICE_CIPHER "cipher"                     /* hardware for it, or several streams */
#define ADVICE_OFFLOAD "offload"                   /* fewer interrupts and calls a byte */
#define ADVICE_LARGER_TURNS "larger_turns"         /* value_bytes: ask for so much at once */
#define ADVICE_PIPELINE "pipeline"                 /* ask before the answer has come */
#define ADVICE_SERVER_TIME "server_time"           /* what the server does before it answers */
#define ADVICE_UPDATE_STACK "update_stack"
#define ADVICE_WRITE_SIZE "write_size"             /* value_bytes: what to write at once */
#define ADVICE_ACK_PRIORITY "ack_priority"         /* of pure ACKs over data on the way back */
#define ADVICE_COALESCING "coalescing"             /* less merging of packets and interrupts */
#define ADVICE_FEWER_STREAMS "fewer_streams"       /* prediction: this connection alone */
#define ADVICE_BOTH_LEGS "both_legs"               /* of a split connection: capture beyond the box */
#define ADVICE_ACCELERATOR "accelerator"           /* a proxy at the end of the long leg (RFC 3135) */
#define ADVICE_CONGESTION_CONTROL "congestion_control" /* one that grows by time, not by round trips */
#define ADVICE_PARALLEL_STREAMS "parallel_streams" /* each grows by itself */
#define ADVICE_RATE_LIMIT "rate_limit"             /* of program, socket or queueing discipline */
#define ADVICE_SLOW_START_AFTER_IDLE "slow_start_after_idle"

/* evidence.fact */
#define FACT_NO_WINDOW_SCALE "no_window_scale" /* a SYN without option 3 */
#define FACT_WINDOW_SCALE "window_scale"       /* a SYN with option 3 */
#define FACT_LARGEST_WINDOW "largest_window"
#define FACT_WINDOW_FULL "window_full"         /* longest wait for the window */
#define FACT_FIRST_DATA "first_data"
#define FACT_LAST_DATA "last_data"
#define FACT_SLOW_START "slow_start"           /* longest stretch of slow start */
#define FACT_LONGEST_WAIT "longest_wait"       /* of the limit that took most of the time */
#define FACT_ABORT_COMMAND "abort_command"     /* FTP ABOR */
#define FACT_REPLY "reply"                     /* FTP reply that ended the transfer */
#define FACT_FIRST_LOSS "first_loss"
#define FACT_WORST_LOSS "worst_loss"           /* the longest to repair */
#define FACT_TIMEOUT "timeout"                 /* resend that ended the longest silence */
#define FACT_CONGESTION_MARK "congestion_mark" /* RFC 3168: the sender says it cut its window */
#define FACT_SENT_AGAIN "sent_again"           /* the last resend of what was sent most often */
#define FACT_TOO_BIG "too_big"                 /* ICMP fragmentation needed, packet too big */
#define FACT_UNNEEDED_RESEND "unneeded_resend"
#define FACT_LATE "late"                       /* passed after its successor */
#define FACT_NO_SACK "no_sack"                 /* a SYN without SACK-permitted */
#define FACT_FIN "fin"
#define FACT_KNEE "knee"                       /* from here at another rate */
#define FACT_SACK_RENEGED "sack_reneged"       /* reported, then thrown away */
#define FACT_SMALL_INCREMENT "small_increment" /* of the window, to a sender that waits */
#define FACT_SMALL_MSS "small_mss"             /* a SYN with a small MSS option */
#define FACT_WINDOW_CLOSED "window_closed"
#define FACT_WINDOW_GREW "window_grew"         /* for the last time */
#define FACT_WINDOW_OPENED "window_opened"
#define FACT_WINDOW_SHRUNK "window_shrunk"     /* the right edge moved left */
#define FACT_WINDOW_STEP "window_step"         /* opens by what the program read */
#define FACT_BOTTLENECK_BUSY "bottleneck_busy" /* longest stretch at the bottleneck's rate */
#define FACT_PLATEAU "plateau"                 /* flight at one size */
#define FACT_SENDER_IDLE "sender_idle"         /* nothing to send */
#define FACT_NAGLE_WAIT "nagle_wait"           /* partial segment that waited for an ACK */
#define FACT_ENCRYPTED "encrypted"             /* TLS or SSH by its first bytes */
#define FACT_TURN_WAIT "turn_wait"             /* waiting for the other side */
#define FACT_RST "rst"
#define FACT_SMALL_WRITE "small_write"
#define FACT_WRITE_START "write_start"         /* of a write of the size that repeats */
#define FACT_WRITE_END "write_end"             /* its last segment */
#define FACT_LOCK_STEP "lock_step"             /* a silence that an acknowledgment ended */
#define FACT_FAR_ANSWER "far_answer"           /* by TTL: from the end itself */
#define FACT_NEAR_ANSWER "near_answer"         /* by TTL: from a box before it */
#define FACT_EVEN_DEPARTURES "even_departures" /* longest stretch at the sender's own rate */
#define FACT_IDLE_RESTART "idle_restart"       /* first data after a pause */
#define FACT_WINDOW_GROWTH "window_growth"     /* ends of the longest growth of the congestion window */

#endif
