/* What the cause_*.c files share: the shape of a cause, and the facts they judge by.
 * Everyone else uses causes.h. */
#ifndef TCPWHY_ANALYSIS_CAUSE_H
#define TCPWHY_ANALYSIS_CAUSE_H

#include "analysis/cause/causes.h"

/* How a cause takes part in the choice of the leading one; the lower role goes first. */
enum cause_role {
    ROLE_EVENT, /* it happened: leads whatever the time went to */
    ROLE_GATE,  /* the capture or the transfer does not carry a verdict about time */
    ROLE_STATE, /* of the transfer as a whole */
    ROLE_SHARE, /* explains a share of the bulk time: the largest leads */
};

/* What one cause says of a case. */
struct finding {
    bool found;
    bool may_lead;     /* ROLE_SHARE: the evidence is enough to name it first */
    double share_pct;  /* of the bulk time; < 0 = no share */
    double lead_pct;   /* what it competes with to lead: its share of the time that asks for a cause,
                          where some of the bulk time does not; 0 = share_pct */
    enum confidence confidence;
};

struct cause {
    int id;
    enum cause_role role;
    struct finding (*find)(const struct case_file *c);
    /* Add headline, text, evidence and advice of a finding that leads. */
    void (*explain)(const struct case_file *c, struct verdict *v);
};

/* A transfer is at a ceiling that the user gave within -10 to +5 % of it (research: a disk's rate
 * varies by that between runs). */
#define CEILING_LEAST 0.90
#define CEILING_MOST 1.05

/* Faults of a capture that a verdict leans on. */
enum case_fault {
    FAULT_NO_SYN = 0x01,     /* one of the SYNs is not in the capture, or not whole */
    FAULT_GAPS = 0x02,       /* more than 0.1 % of the stream not captured */
    FAULT_DROPS = 0x04,      /* the capture says that it lost packets */
    FAULT_ONE_WAY = 0x08,
    FAULT_POSITION = 0x10,   /* where the capture was taken is unknown */
    FAULT_FEW_ROUNDS = 0x20, /* fewer than 10 round trips of data */
    FAULT_ANY = 0x3f,
    /* those that can hide a packet, the only ones that bear on who acted first */
    FAULT_HIDING = FAULT_GAPS | FAULT_DROPS | FAULT_ONE_WAY,
};

/* HIGH for three independent signs, MEDIUM for two, else LOW; one step down for each fault. */
enum confidence case_confidence(const struct case_file *c, int signs,
                                unsigned int faults_that_count);

/* False when the data connection is not in the capture. */
bool case_has_flow(const struct case_file *c);
bool case_both_syns_seen(const struct case_file *c);
/* The end that receives the data, and the end that sends it. */
/* The end that is client (C2S) or server (S2C) of the data connection, in the words of the transfer. */
enum actor case_end(const struct case_file *c, enum direction end);
enum actor case_receiver(const struct case_file *c);
/* True when client and server of the transfer are server and client of its data connection. */
bool case_roles_swapped(const struct transfer_result *transfer);
enum actor case_sender(const struct case_file *c);
const char *case_actor_word(enum actor actor); /* "client", "server" */
/* Share (0..1) of the stream that the receiver acknowledged but the capture lacks. */
double case_gap_share(const struct case_file *c);
/* Payload rate over first data to last acknowledgment; < 0 = unknown. */
double case_goodput_bytes_per_s(const struct case_file *c);
/* First data to last acknowledgment at the tap, the time that this rate is over; without one, the
 * time at the sender (elapsed_ns). */
int64_t case_data_span_ns(const struct case_file *c);
/* Seconds; < 0 = unknown.  The effective round trip is the median under load, else the minimum. */
double case_rtt_min_s(const struct case_file *c);
double case_rtt_effective_s(const struct case_file *c);
/* Bulk time in round trips, full-size segments in the bytes; < 0 = unknown. */
double case_round_trips(const struct case_file *c);
double case_full_segments(const struct case_file *c);
/* Largest window of the receiver, 0 = unknown. */
uint64_t case_window_bytes(const struct case_file *c);
/* Initial window as seen, else that of RFC 6928; 0 = no data. */
uint64_t case_initial_window_bytes(const struct case_file *c);
/* Size of the whole transfer as far as known. */
uint64_t case_size_bytes(const struct case_file *c);
/* Payload that a link of a gross rate carries in this flow's segments; < 0 = unknown. */
double case_link_payload_bytes_per_s(const struct case_file *c, double link_bytes_per_s);
/* The same of CUBIC (RFC 9438 section 5). */
double case_cubic_bytes_per_s(const struct case_file *c);
/* Rate at the measured loss; < 0 below 10 loss events, where a probability says nothing. */
double case_loss_bytes_per_s(const struct case_file *c);

/* What the transfer would do with a window of window_bytes: the next of link (if known), loss
 * model (if losses were seen) and slow start limits it.  Of the data alone, without set-up and
 * close.  < 0 = unknown, or no gain. */
struct forecast {
    double bytes_per_s, seconds;
};
struct forecast case_forecast(const struct case_file *c, uint64_t window_bytes);

/* Time that losses cost, in per cent of the elapsed time; 0 when there were none. */
struct loss_share {
    double repair_pct, regrowth_pct; /* recovery and time-outs; slow start and congestion window
                                        until the window had grown again */
    double timeout_pct;  /* of both: events with a time-out */
    double mark_pct;     /* besides: regrowth after congestion marks */
    double spurious_pct; /* besides: episodes in which no resend was needed */
};
struct loss_share case_loss_share(const struct case_file *c);
/* The two kinds of events above that a cause of losses explains, marks included. */
double case_loss_pct(const struct case_file *c);
/* The same as a part of the time that asks for a cause: time at the rate of a bottleneck that is not
 * full on the whole asks for none, for there the transfer went as fast as it can.  0 where losses
 * cost less than a second cause's share. */
double case_loss_lead_pct(const struct case_file *c);
/* True when the losses come more regularly than losses that strike any packet alike. */
bool case_losses_are_regular(const struct case_file *c);
/* The cause of the catalogue that the losses have, by the first that their facts carry: 9, 11, 41,
 * 10, 8, 7; 0 = there were none, or what they look like does not tell. */
int case_loss_cause(const struct case_file *c);
/* What the transfer would do without losses: the next of receive window, link or inferred capacity,
 * and slow start limits it.  < 0 = unknown, or no gain. */
struct forecast case_forecast_lossless(const struct case_file *c);

/* The mean rate is nine tenths of what the bottleneck passes, or of the given link's payload (domain,
 * row 12). */
bool case_link_is_full(const struct case_file *c);

/* Per cent of the time that went to turns beside the data, where nearly all of it came in one message
 * and the turns are not the cause themselves; 0 = no such dialogue. */
double case_dialogue_pct(const struct case_file *c);
/* Bytes a turn; < 0 below five turns. */
double case_turn_bytes(const struct case_file *c);

/* cause_link.c */
struct finding cause_link_rate_find(const struct case_file *c);
void cause_link_rate_explain(const struct case_file *c, struct verdict *v);
struct finding cause_bufferbloat_find(const struct case_file *c);
void cause_bufferbloat_explain(const struct case_file *c, struct verdict *v);
/* cause_sender.c */
struct finding cause_send_buffer_find(const struct case_file *c);
void cause_send_buffer_explain(const struct case_file *c, struct verdict *v);
struct finding cause_application_window_find(const struct case_file *c);
void cause_application_window_explain(const struct case_file *c, struct verdict *v);
struct finding cause_sender_slow_find(const struct case_file *c);
void cause_sender_slow_explain(const struct case_file *c, struct verdict *v);
struct finding cause_nagle_find(const struct case_file *c);
void cause_nagle_explain(const struct case_file *c, struct verdict *v);
struct finding cause_crypto_bound_find(const struct case_file *c);
void cause_crypto_bound_explain(const struct case_file *c, struct verdict *v);
struct finding cause_host_bound_find(const struct case_file *c);
void cause_host_bound_explain(const struct case_file *c, struct verdict *v);
/* cause_turns.c */
struct finding cause_turn_limited_find(const struct case_file *c);
void cause_turn_limited_explain(const struct case_file *c, struct verdict *v);
struct finding cause_think_time_find(const struct case_file *c);
void cause_think_time_explain(const struct case_file *c, struct verdict *v);
/* cause_window.c */
struct finding cause_receive_window_find(const struct case_file *c);
void cause_receive_window_explain(const struct case_file *c, struct verdict *v);
struct finding cause_no_window_scaling_find(const struct case_file *c);
void cause_no_window_scaling_explain(const struct case_file *c, struct verdict *v);
/* cause_scaling.c */
struct finding cause_scaling_stripped_find(const struct case_file *c);
void cause_scaling_stripped_explain(const struct case_file *c, struct verdict *v);
/* cause_growth.c */
struct finding cause_autotuning_find(const struct case_file *c);
void cause_autotuning_explain(const struct case_file *c, struct verdict *v);
struct finding cause_autotuning_shut_off_find(const struct case_file *c);
void cause_autotuning_shut_off_explain(const struct case_file *c, struct verdict *v);
struct finding cause_window_shrink_find(const struct case_file *c);
void cause_window_shrink_explain(const struct case_file *c, struct verdict *v);
/* cause_reader.c */
struct finding cause_receiver_slow_find(const struct case_file *c);
void cause_receiver_slow_explain(const struct case_file *c, struct verdict *v);
struct finding cause_silly_window_find(const struct case_file *c);
void cause_silly_window_explain(const struct case_file *c, struct verdict *v);
/* cause_segments.c */
struct finding cause_small_mss_find(const struct case_file *c);
void cause_small_mss_explain(const struct case_file *c, struct verdict *v);
struct finding cause_few_segments_find(const struct case_file *c);
void cause_few_segments_explain(const struct case_file *c, struct verdict *v);
/* cause_storage.c */
struct finding cause_storage_ceiling_find(const struct case_file *c);
void cause_storage_ceiling_explain(const struct case_file *c, struct verdict *v);
struct finding cause_cache_knee_find(const struct case_file *c);
void cause_cache_knee_explain(const struct case_file *c, struct verdict *v);
struct finding cause_ascii_type_find(const struct case_file *c);
void cause_ascii_type_explain(const struct case_file *c, struct verdict *v);
/* cause_cwnd.c */
struct finding cause_cwnd_growth_find(const struct case_file *c);
void cause_cwnd_growth_explain(const struct case_file *c, struct verdict *v);
struct finding cause_paced_sender_find(const struct case_file *c);
void cause_paced_sender_explain(const struct case_file *c, struct verdict *v);
struct finding cause_satellite_path_find(const struct case_file *c);
void cause_satellite_path_explain(const struct case_file *c, struct verdict *v);
/* cause_idle.c */
struct finding cause_idle_restart_find(const struct case_file *c);
void cause_idle_restart_explain(const struct case_file *c, struct verdict *v);
struct finding cause_cwnd_reset_find(const struct case_file *c);
void cause_cwnd_reset_explain(const struct case_file *c, struct verdict *v);
/* cause_short.c */
struct finding cause_slow_start_short_find(const struct case_file *c);
void cause_slow_start_short_explain(const struct case_file *c, struct verdict *v);
struct finding cause_too_short_find(const struct case_file *c);
void cause_too_short_explain(const struct case_file *c, struct verdict *v);
/* cause_end.c */
struct finding cause_aborted_by_client_find(const struct case_file *c);
struct finding cause_aborted_by_server_find(const struct case_file *c);
void cause_aborted_explain(const struct case_file *c, struct verdict *v);
/* cause_capture.c */
struct finding cause_capture_unfit_find(const struct case_file *c);
void cause_capture_unfit_explain(const struct case_file *c, struct verdict *v);
/* cause_healthy.c */
struct finding cause_healthy_find(const struct case_file *c);
void cause_healthy_explain(const struct case_file *c, struct verdict *v);
/* cause_writes.c */
struct finding cause_tinygrams_find(const struct case_file *c);
void cause_tinygrams_explain(const struct case_file *c, struct verdict *v);
struct finding cause_write_remainder_find(const struct case_file *c);
void cause_write_remainder_explain(const struct case_file *c, struct verdict *v);
/* cause_acks.c */
struct finding cause_ack_path_find(const struct case_file *c);
void cause_ack_path_explain(const struct case_file *c, struct verdict *v);
struct finding cause_stretch_acks_find(const struct case_file *c);
void cause_stretch_acks_explain(const struct case_file *c, struct verdict *v);
/* cause_streams.c */
struct finding cause_shared_by_streams_find(const struct case_file *c);
void cause_shared_by_streams_explain(const struct case_file *c, struct verdict *v);
/* cause_split.c */
struct finding cause_split_tcp_find(const struct case_file *c);
void cause_split_tcp_explain(const struct case_file *c, struct verdict *v);

/* cause_loss.c, cause_repair.c */
struct finding cause_random_loss_find(const struct case_file *c);
void cause_random_loss_explain(const struct case_file *c, struct verdict *v);
struct finding cause_congestion_loss_find(const struct case_file *c);
void cause_congestion_loss_explain(const struct case_file *c, struct verdict *v);
struct finding cause_policer_find(const struct case_file *c);
void cause_policer_explain(const struct case_file *c, struct verdict *v);
struct finding cause_rto_stalls_find(const struct case_file *c);
void cause_rto_stalls_explain(const struct case_file *c, struct verdict *v);
struct finding cause_no_sack_find(const struct case_file *c);
void cause_no_sack_explain(const struct case_file *c, struct verdict *v);
/* cause_mtu.c */
struct finding cause_black_hole_find(const struct case_file *c);
void cause_black_hole_explain(const struct case_file *c, struct verdict *v);
struct finding cause_mtu_mismatch_find(const struct case_file *c);
void cause_mtu_mismatch_explain(const struct case_file *c, struct verdict *v);
/* cause_order.c */
struct finding cause_reordering_find(const struct case_file *c);
void cause_reordering_explain(const struct case_file *c, struct verdict *v);
struct finding cause_spurious_find(const struct case_file *c);
void cause_spurious_explain(const struct case_file *c, struct verdict *v);
/* cause_path.c */
struct finding cause_duplex_mismatch_find(const struct case_file *c);
void cause_duplex_mismatch_explain(const struct case_file *c, struct verdict *v);
struct finding cause_link_layer_find(const struct case_file *c);
void cause_link_layer_explain(const struct case_file *c, struct verdict *v);
struct finding cause_path_change_find(const struct case_file *c);
void cause_path_change_explain(const struct case_file *c, struct verdict *v);
/* What the losses of the data were and cost: evidence that every cause of losses adds. */
void cause_loss_add_evidence(const struct case_file *c, struct verdict *v);
/* "They cost 10.4 s of 11.7 s: 1.58 s of repair and 8.86 s until the window had grown again." */
void cause_loss_append_cost(const struct case_file *c, struct verdict *v);

/* cause_notes.c: fill verdict.ruled_out and verdict.unknown. */
void cause_notes_fill(const struct case_file *c, struct verdict *v);
/* cause_bounds.c: fill verdict.bounds. */
void cause_bounds_fill(const struct case_file *c, struct verdict *v);
/* The same file: fill verdict.what_ifs with the changes that would make it faster. */
void cause_what_if_fill(const struct case_file *c, struct verdict *v);

#endif
