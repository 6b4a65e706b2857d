/* Models of what a path permits, as pure functions: no state, units in the names.
 *
 * Rates are bytes of payload a second, times are seconds, loss is a probability per segment.  An
 * input that is not a positive finite number gives BOUND_UNKNOWN, never an infinity. */
#ifndef TCPWHY_ANALYSIS_BOUNDS_H
#define TCPWHY_ANALYSIS_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#define BOUND_UNKNOWN (-1.0)

/* Growth of the window a round trip in slow start: an ACK a segment, or an ACK every second one
 * (RFC 5681 section 3.1 with RFC 1122's delayed ACK). */
#define SLOW_START_GROWTH 2.0
#define SLOW_START_GROWTH_DELAYED_ACK 1.5

/* k of the Mathis formula for an ACK a segment (delayed ACK: 0.87). */
#define MATHIS_K 1.22

/* Per-frame bytes of Ethernet that carry no IP: header 14, FCS 4, preamble 8, gap 12
 * (IEEE 802.3 clauses 3.1 and 4.4). */
#define ETHERNET_OVERHEAD_BYTES 38

/* True for a rate, time or share that was computed. */
static inline bool bound_is_known(double value)
{
    return value >= 0;
}

/* Rate of a sender that has window_bytes in flight each round trip (RFC 7323 section 1.1). */
double bounds_window_bytes_per_s(double window_bytes, double rtt_s);

/* The part of a window that whole segments fill; a window below one segment counts whole, for it
 * is sent as it is.  (Senders avoid partial segments: RFC 9293 section 3.8.6.2.1.) */
uint64_t bounds_whole_segments_bytes(uint64_t window_bytes, uint32_t smss);

/* The buffer that a window tells of: the smallest power of two, else multiple of 4096, that
 * rounds up to this whole number of segments.  0 = none fits, or smss is too large to tell. */
uint64_t bounds_buffer_guess_bytes(uint64_t window_bytes, uint32_t smss);

/* Bandwidth-delay product: the window that a rate needs, rounded up. */
double bounds_needed_window_bytes(double bytes_per_s, double rtt_s);

/* Share (0..1) of a link's rate that window_bytes each round trip can fill. */
double bounds_window_efficiency(double window_bytes, double rtt_s, double link_bytes_per_s);

/* Initial window of RFC 6928 section 2. */
uint64_t bounds_initial_window_bytes(uint32_t smss);

/* Round trips until initial_bytes in flight have grown to flight_bytes; 0 when already there. */
double bounds_slow_start_rounds(double flight_bytes, double initial_bytes, double growth);

/* Bytes sent while the flight grows from initial_bytes to flight_bytes. */
double bounds_slow_start_sent_bytes(double flight_bytes, double initial_bytes, double growth);

/* Mean rate of a transfer of size_bytes that is all slow start: nothing else can be faster. */
double bounds_slow_start_bytes_per_s(double size_bytes, double initial_bytes, double growth,
                                     double rtt_s);

/* Mathis, Semke, Mahdavi, Ott, CCR 27(3) 1997: k MSS / (R sqrt p); holds for loss below 2 %. */
double bounds_mathis_bytes_per_s(double smss, double rtt_s, double loss, double k);

/* Padhye, Firoiu, Towsley, Kurose, SIGCOMM 1998, equation 30: with time-outs of rto_s;
 * segments_per_ack 1 or 2; window_bytes caps it (<= 0: no cap). */
double bounds_pftk_bytes_per_s(double smss, double rtt_s, double loss, double rto_s,
                               double segments_per_ack, double window_bytes);

/* CUBIC's response function, RFC 9438 section 5: the larger of its own with C = 0.4 and b = 0.7,
 * 1.054 MSS / (R^0.25 p^0.75), and that of its Reno-friendly region, 1.225 MSS / (R sqrt p). */
double bounds_cubic_bytes_per_s(double smss, double rtt_s, double loss);

/* Share (0..1) of a link's bit rate that is payload, in frames of smss bytes of payload,
 * header_bytes of IP and TCP, and overhead_bytes of the link. */
double bounds_payload_share(double smss, double header_bytes, double overhead_bytes);

/* Time to deliver size_bytes: slow start from initial_bytes until the flight carries
 * full_bytes_per_s, then that rate. */
double bounds_transfer_s(double size_bytes, double initial_bytes, double growth, double rtt_s,
                         double full_bytes_per_s);

#endif
