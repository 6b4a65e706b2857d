/* How a congestion window falls and grows by the laws in use: Reno (RFC 5681) and CUBIC (RFC 9438),
 * as Linux applies them.  Windows are in segments; growth is taken in at leisure, from what was
 * acknowledged since the last time, so that nothing is done per packet. */
#ifndef TCPWHY_ANALYSIS_CWND_MODEL_H
#define TCPWHY_ANALYSIS_CWND_MODEL_H

#include <stdint.h>

enum cwnd_law { LAW_RENO, LAW_CUBIC, CWND_LAWS };

struct cwnd_model {
    double window;
    double ssthresh; /* 0 = none set: slow start has no end */
    double w_max;    /* CUBIC: window before the last fall, by fast convergence less */
    double origin, k_s;
    double friendly;  /* CUBIC: the window that Reno would have by now */
    int64_t epoch_ns; /* start of CUBIC's growth; NS_UNKNOWN: begins with the next growth */
};

/* ssthresh after a fall from window. */
double cwnd_model_ssthresh(enum cwnd_law law, double window);
/* A loss or mark met at window: sets ssthresh; the window stays until cwnd_model_set. */
void cwnd_model_fall(struct cwnd_model *m, enum cwnd_law law, double window);
/* The window has this value now, and grows from it. */
void cwnd_model_set(struct cwnd_model *m, double window);
/* acked segments were acknowledged up to now_ns while the window was the limit; rtt_ns is the
 * minimum round trip. */
void cwnd_model_grow(struct cwnd_model *m, enum cwnd_law law, double acked, int64_t now_ns,
                     int64_t rtt_ns);

#endif
