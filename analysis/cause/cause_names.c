#include "analysis/cause/causes.h"

#include <string.h>

/* The catalogue of causes (CONTRACT.md section 4); the index is the id. */
static const char *const slugs[CAUSE_ID_MAX + 1] = {
    [1] = "receive_window",
    [2] = "no_window_scaling",
    [3] = "window_scaling_stripped",
    [4] = "send_buffer",
    [5] = "application_window",
    [6] = "cwnd_growth",
    [7] = "random_loss",
    [8] = "congestion_loss",
    [9] = "policer",
    [10] = "rto_stalls",
    [11] = "no_sack",
    [12] = "link_rate",
    [13] = "receiver_slow",
    [14] = "sender_slow",
    [15] = "storage_ceiling",
    [16] = "cache_knee",
    [17] = "nagle_delayed_ack",
    [18] = "tinygrams",
    [19] = "write_remainder",
    [20] = "small_mss",
    [21] = "few_segments_per_window",
    [22] = "silly_window",
    [23] = "pmtud_black_hole",
    [24] = "mtu_mismatch",
    [25] = "slow_start_short",
    [26] = "idle_restart",
    [27] = "cwnd_reset_per_transaction",
    [28] = "turn_limited",
    [29] = "server_think_time",
    [30] = "per_file_overhead",
    [31] = "login_delay",
    [32] = "data_connect_delay",
    [33] = "passive_address",
    [34] = "active_blocked",
    [35] = "control_killed",
    [36] = "aborted_by_client",
    [37] = "aborted_by_server",
    [38] = "disk_full",
    [39] = "inactivity_timeout",
    [40] = "ascii_type",
    [41] = "duplex_mismatch",
    [42] = "ack_path",
    [43] = "stretch_acks",
    [44] = "bufferbloat",
    [45] = "reordering",
    [46] = "spurious_retransmits",
    [47] = "shared_by_streams",
    [48] = "autotuning",
    [49] = "autotuning_shut_off",
    [50] = "paced_sender",
    [51] = "crypto_bound",
    [52] = "split_tcp",
    [53] = "satellite_path",
    [54] = "link_layer_retransmission",
    [55] = "host_bound",
    [56] = "path_change",
    [57] = "window_shrink",
    [58] = "asymmetric",
    [59] = "serial_stage",
    [60] = "no_effect",
    [61] = "capture_unfit",
    [62] = "healthy",
    [63] = "too_short",
};

const char *cause_slug(int cause_id)
{
    return cause_id >= 1 && cause_id <= CAUSE_ID_MAX ? slugs[cause_id] : NULL;
}

int cause_id(const char *slug)
{
    for (int id = 1; id <= CAUSE_ID_MAX; id++)
        if (strcmp(slugs[id], slug) == 0)
            return id;
    return 0;
}
