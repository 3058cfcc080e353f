/* core/payoff.h - whether sharing work with other threads has paid of late. Beside a busy process a worker may lose its
 * processor in the middle of a range, for milliseconds, and whoever shares the work waits for it: then sharing pauses,
 * and longer each time that it is tried again in vain. */
#ifndef HEED_CORE_PAYOFF_H
#define HEED_CORE_PAYOFF_H

#include <stdbool.h>
#include <stdint.h>

/* In nanoseconds. Zero is the beginning. */
typedef struct heed__payoff {
    int64_t balance; /* what has been gained since the last pause */
    int64_t resume;  /* when the pause ends, or did */
    int64_t pause;   /* how long it is */
} heed__payoff;

enum {
    HEED_PAYOFF_LOSS = 1000000, /* after which sharing pauses */
    HEED_PAYOFF_MOST = 4000000, /* gains that count: older ones tell little. With so many it is no longer in vain */
    HEED_PAYOFF_FIRST_PAUSE = 50000000,
    HEED_PAYOFF_LAST_PAUSE = 1600000000
};

static inline bool heed__payoff_allows(const heed__payoff *p, int64_t now)
{
    return now >= p->resume;
}

/* `gain`: how much longer the work would have taken alone. */
static inline void heed__payoff_note(heed__payoff *p, int64_t now, int64_t gain)
{
    p->balance += gain;
    if (p->balance >= HEED_PAYOFF_MOST) {
        p->balance = HEED_PAYOFF_MOST;
        p->pause = 0;
    } else if (p->balance <= -HEED_PAYOFF_LOSS) {
        p->pause = p->pause == 0                           ? HEED_PAYOFF_FIRST_PAUSE
                   : 2 * p->pause < HEED_PAYOFF_LAST_PAUSE ? 2 * p->pause
                                                           : HEED_PAYOFF_LAST_PAUSE;
        p->resume = now + p->pause;
        p->balance = 0;
    }
}

#endif
