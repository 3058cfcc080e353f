/* optim/wolfe.c - a line search for the strong Wolfe conditions,
 *
 *     f(t) <= f(0) + c1 t f'(0)  and  |f'(t)| <= c2 |f'(0)|
 *
 * in two phases, algorithms 3.5 and 3.6 of J. Nocedal, S. J. Wright: Numerical Optimization (2006). The first phase
 * enlarges steps until an interval must contain such a point; the second phase narrows the interval. Both try the
 * minimum of the cubic through two points. The constants and the criterion of too little progress follow PyTorch's
 * search, so that iterates agree.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "optim/clip.h"
#include "optim/lbfgs.h"

static const double c1 = 1e-4, c2 = 0.9;

enum { MAX_TRIALS = 25 };

/* An interval of t. end[low] is the end with the lower value. If `done`, end[low] satisfies the conditions. */
typedef struct bracket {
    heed__line_point end[2];
    int low;
    bool done;
} bracket;

static bool too_high(const heed__line_point *start, const heed__line_point *p)
{
    return p->value > start->value + c1 * p->t * start->slope;
}

static bool flat_enough(const heed__line_point *start, const heed__line_point *p)
{
    return fabs(p->slope) <= -c2 * start->slope;
}

/* Returns sqrt(d^2 - a b), or NaN if d^2 - a b is negative. Products of huge or tiny slopes leave the range of f64, so
 * d, a and b are first multiplied by a power of two. */
static double root(double d, double a, double b)
{
    const double largest = fmax(fabs(d), fmax(fabs(a), fabs(b)));
    const double factor = largest > 0x1p-500 && largest < 0x1p500 ? 1.0 : heed__scale_for(largest);
    d *= factor;
    const double square = d * d - (a * factor) * (b * factor);
    return square >= 0.0 ? sqrt(square) / factor : (double)NAN;
}

/* Returns the t at which the cubic through two points, with their slopes, has its minimum, limited to lower .. upper.
 * Without a minimum returns the middle of the bounds. */
static double cubic_minimum(const heed__line_point *a, const heed__line_point *b, double lower, double upper)
{
    if (a->t > b->t) {
        const heed__line_point *swapped = a;
        a = b;
        b = swapped;
    }
    const double d1 = a->slope + b->slope - 3.0 * (a->value - b->value) / (a->t - b->t);
    const double d2 = root(d1, a->slope, b->slope);
    if (isnan(d2))
        return (lower + upper) / 2.0;
    const double t = b->t - (b->t - a->t) * ((b->slope + d2 - d1) / (b->slope - a->slope + 2.0 * d2));
    return fmin(fmax(t, lower), upper);
}

static bool probe(const heed__line *line, double t, heed__line_point *p)
{
    *p = (heed__line_point){.t = t};
    return line->evaluate(line->user, p);
}

static void find_low(bracket *b)
{
    b->low = b->end[0].value <= b->end[1].value ? 0 : 1;
}

/* First phase: tries larger and larger t until the last two points tried, `last` and `now`, enclose a suitable point.
 * Writes them to *b. Returns the number of points tried after the first one, or -1 after heed_fail. */
static int find_bracket(const heed__line *line, const heed__line_point *start, double t, bracket *b)
{
    heed__line_point last = *start, now;
    if (!probe(line, t, &now))
        return -1;
    int trials = 0;
    for (bool found = false; trials < MAX_TRIALS && !found; trials += !found) {
        const bool crossed = too_high(start, &now) || (trials > 1 && now.value >= last.value);
        b->done = !crossed && flat_enough(start, &now);
        found = crossed || b->done || now.slope >= 0.0;
        if (found)
            continue;
        const double next = cubic_minimum(&last, &now, now.t + 0.01 * (now.t - last.t), 10.0 * now.t);
        last = now;
        if (!probe(line, next, &now))
            return -1;
    }
    b->end[0] = b->done ? now : trials < MAX_TRIALS ? last : *start;
    b->end[1] = now;
    find_low(b);
    return trials;
}

/* Returns the next t to try in the bracket: the minimum of the cubic. If the minimum is at an end, or near an end for
 * the second time in a row, returns the point a tenth of the bracket away from that end. *stuck tells the next call
 * that this minimum was near an end. */
static double next_trial(const bracket *b, bool *stuck)
{
    const double from = fmin(b->end[0].t, b->end[1].t), to = fmax(b->end[0].t, b->end[1].t);
    const double t = cubic_minimum(&b->end[0], &b->end[1], from, to), margin = 0.1 * (to - from);
    const bool near = fmin(to - t, t - from) < margin, move = near && (*stuck || t >= to || t <= from);
    *stuck = near && !move;
    if (!move)
        return t;
    return fabs(t - to) < fabs(t - from) ? to - margin : from + margin;
}

/* Second phase: narrows the bracket until an end satisfies the conditions, the bracket is too short or there were too
 * many trials. Returns false after heed_fail. */
static bool narrow_bracket(const heed__line *line, const heed__line_point *start, int trials, bracket *b)
{
    bool stuck = false;
    for (; !b->done && trials < MAX_TRIALS; trials++) {
        heed__line_point *low = &b->end[b->low], *high = &b->end[1 - b->low], now;
        if (fabs(high->t - low->t) * line->length < line->min_length)
            return true;
        if (!probe(line, next_trial(b, &stuck), &now))
            return false;
        if (too_high(start, &now) || now.value >= low->value) {
            *high = now;
            find_low(b);
            continue;
        }
        b->done = flat_enough(start, &now);
        if (!b->done && now.slope * (high->t - low->t) >= 0.0)
            *high = *low;
        *low = now;
    }
    return true;
}

bool heed__strong_wolfe(const heed__line *line, const heed__line_point *start, double t, heed__line_point *found)
{
    bracket b = {.done = false};
    const int trials = find_bracket(line, start, t, &b);
    if (trials < 0 || !narrow_bracket(line, start, trials, &b))
        return false;
    *found = b.end[b.low];
    return true;
}
