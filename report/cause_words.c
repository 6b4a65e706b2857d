#include "report/cause_words.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *slug, *words;
} causes[] = {
    {"receive_window", "the receiver's window"},
    {"no_window_scaling", "window scaling is not in force"},
    {"window_scaling_stripped", "window scaling is mangled on the way"},
    {"send_buffer", "the sender's send buffer"},
    {"application_window", "a window of the application's own"},
    {"cwnd_growth", "the congestion window grows slowly"},
    {"random_loss", "packets vanish without a full queue"},
    {"congestion_loss", "a queue overflows"},
    {"policer", "a policer drops what is beyond its rate"},
    {"rto_stalls", "silences until the retransmission timer runs out"},
    {"no_sack", "losses are repaired without SACK"},
    {"link_rate", "the rate of the link"},
    {"receiver_slow", "the receiving program reads slowly"},
    {"sender_slow", "the sending program delivers slowly"},
    {"storage_ceiling", "the storage's own rate"},
    {"cache_knee", "fast into a cache, then slower"},
    {"nagle_delayed_ack", "Nagle's algorithm against delayed acknowledgments"},
    {"tinygrams", "small packets"},
    {"write_remainder", "each write leaves a small packet over"},
    {"small_mss", "a small segment size"},
    {"few_segments_per_window", "the window holds few segments"},
    {"silly_window", "the window opens in small steps"},
    {"pmtud_black_hole", "large packets vanish: an MTU black hole"},
    {"mtu_mismatch", "the ends disagree about the MTU"},
    {"slow_start_short", "slow start of a short transfer"},
    {"idle_restart", "the window restarts after idle time"},
    {"cwnd_reset_per_transaction", "losses reset the window at each transaction"},
    {"turn_limited", "one turn each round trip"},
    {"server_think_time", "the server thinks"},
    {"per_file_overhead", "commands around each file"},
    {"login_delay", "the login"},
    {"data_connect_delay", "data connections open slowly"},
    {"passive_address", "a wrong passive address"},
    {"active_blocked", "active mode is blocked"},
    {"control_killed", "the control connection was cut"},
    {"aborted_by_client", "the client stopped it"},
    {"aborted_by_server", "the server stopped it"},
    {"disk_full", "a full disk or quota"},
    {"inactivity_timeout", "an inactivity timer"},
    {"ascii_type", "ASCII type"},
    {"duplex_mismatch", "a duplex mismatch"},
    {"ack_path", "the way back is congested"},
    {"stretch_acks", "acknowledgments that cover much at once"},
    {"bufferbloat", "a queue that this transfer fills"},
    {"reordering", "packets arrive out of order"},
    {"spurious_retransmits", "needless retransmissions"},
    {"shared_by_streams", "parallel streams share the link"},
    {"autotuning", "the receiver's buffer grows slowly"},
    {"autotuning_shut_off", "the receiver's buffer shrank and stayed small"},
    {"paced_sender", "the sender keeps to a rate"},
    {"crypto_bound", "encryption takes the CPU"},
    {"split_tcp", "a box on the path answers for an end"},
    {"satellite_path", "a long path with a classic TCP"},
    {"link_layer_retransmission", "a radio link repeats packets"},
    {"host_bound", "a host's packet rate"},
    {"path_change", "the path changed"},
    {"window_shrink", "the window's edge moves back"},
    {"asymmetric", "one direction is slower"},
    {"serial_stage", "a stage that takes the same time everywhere"},
    {"no_effect", "the change had no effect"},
    {"capture_unfit", "the capture cannot carry an answer"},
    {"healthy", "nothing holds it up"},
    {"too_short", "too short to say"},
};

const char *cause_words(const char *slug)
{
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (strcmp(causes[i].slug, slug) == 0)
            return causes[i].words;
    return slug;
}
