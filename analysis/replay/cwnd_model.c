#include "analysis/replay/cwnd_model.h"

#include <math.h>

#include "analysis/result.h"

/* RFC 9438 sections 4.1 and 4.6; Linux has beta as 717 / 1024. */
#define CUBIC_C 0.4
#define CUBIC_BETA (717.0 / 1024)
#define RENO_BETA 0.5
/* RFC 9438 section 4.3: additive growth of the Reno-friendly region, in segments a round trip. */
#define FRIENDLY_ALPHA (3 * (1 - CUBIC_BETA) / (1 + CUBIC_BETA))
#define WINDOW_LEAST 2.0 /* RFC 5681 equation 4 */

double cwnd_model_ssthresh(enum cwnd_law law, double window)
{
    double ssthresh = floor(window * (law == LAW_RENO ? RENO_BETA : CUBIC_BETA));

    return ssthresh < WINDOW_LEAST ? WINDOW_LEAST : ssthresh;
}

void cwnd_model_fall(struct cwnd_model *m, enum cwnd_law law, double window)
{
    m->ssthresh = cwnd_model_ssthresh(law, window);
    /* fast convergence (RFC 9438 section 4.7) */
    m->w_max = window < m->w_max ? window * (1 + CUBIC_BETA) / 2 : window;
    m->epoch_ns = NS_UNKNOWN;
}

void cwnd_model_set(struct cwnd_model *m, double window)
{
    m->window = window;
    m->epoch_ns = NS_UNKNOWN;
}

static void begin_epoch(struct cwnd_model *m, int64_t now_ns)
{
    m->epoch_ns = now_ns;
    m->friendly = m->window;
    m->origin = m->window < m->w_max ? m->w_max : m->window;
    m->k_s = cbrt((m->origin - m->window) / CUBIC_C);
}

/* At most a window's worth of acknowledgments in avoidance. */
static void grow_cubic(struct cwnd_model *m, double acked, int64_t now_ns, int64_t rtt_ns)
{
    if (m->epoch_ns == NS_UNKNOWN)
        begin_epoch(m, now_ns);
    double t_s = (double)(now_ns - m->epoch_ns + rtt_ns) / 1e9 - m->k_s;
    double target = m->origin + CUBIC_C * t_s * t_s * t_s;
    double step = (target - m->window) * acked / m->window;

    m->friendly += FRIENDLY_ALPHA * acked / m->window;
    if (step > acked / 2) /* Linux: not more than one segment for two acknowledged */
        step = acked / 2;
    if (step > 0)
        m->window += step;
    if (m->friendly > m->window)
        m->window = m->friendly;
}

void cwnd_model_grow(struct cwnd_model *m, enum cwnd_law law, double acked, int64_t now_ns,
                     int64_t rtt_ns)
{
    if (m->ssthresh <= 0 || m->window < m->ssthresh) {
        double step =
            m->ssthresh <= 0 || acked < m->ssthresh - m->window ? acked : m->ssthresh - m->window;
        m->window += step;
        acked -= step;
    }
    if (acked <= 0 || m->window < 1)
        return;
    if (law == LAW_RENO) /* one segment a window: dW = acked / W, integrated */
        m->window = sqrt(m->window * m->window + 2 * acked);
    else
        grow_cubic(m, acked < m->window ? acked : m->window, now_ns, rtt_ns);
}
