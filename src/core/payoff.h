/* core/payoff.h - tracks whether sharing work with other threads has paid off recently. Next to a busy process, a
 * worker may lose its processor for milliseconds in the middle of a range, and the thread that shares the work waits
 * for it. Sharing then pauses, and the pause doubles after every unsuccessful retry. */
#ifndef HEED_CORE_PAYOFF_H
#define HEED_CORE_PAYOFF_H

#include <stdbool.h>
#include <stdint.h>

/* All times are in nanoseconds. Initialised to zero. */
typedef struct heed__payoff {
    int64_t balance; /* time gained since the last pause */
    int64_t resume;  /* end of the current or last pause */
    int64_t pause;   /* length of that pause */
} heed__payoff;

enum {
    HEED_PAYOFF_LOSS = 1000000, /* loss that starts a pause */
    HEED_PAYOFF_MOST = 4000000, /* limit of the balance, since older gains tell little; reaching it resets the pause
                                 * length */
    HEED_PAYOFF_FIRST_PAUSE = 50000000,
    HEED_PAYOFF_LAST_PAUSE = 1600000000
};

static inline bool heed__payoff_allows(const heed__payoff *p, int64_t now)
{
    return now >= p->resume;
}

/* `gain`: how much longer the work would have taken in one thread. */
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
