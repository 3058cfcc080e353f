/* plot/ticks_dates.c - ticks at round dates.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/iso8601.h"
#include "plot/ticks.h"

/* Steps between ticks; a step of days begins at a Monday, a step of months at a year that it divides. */
static const struct step {
    int months;
    double days;
} steps[] = {{0, 1. / 1440}, {0, 5. / 1440}, {0, 15. / 1440}, {0, 1. / 24}, {0, 3. / 24}, {0, 6. / 24}, {0, 12. / 24},
             {0, 1},         {0, 2},         {0, 7},          {0, 14},      {1, 0},       {3, 0},       {6, 0},
             {12, 0},        {24, 0},        {60, 0},         {120, 0},     {240, 0},     {600, 0},     {1200, 0},
             {2400, 0},      {6000, 0},      {12000, 0},      {24000, 0},   {60000, 0}};

enum { STEPS = sizeof steps / sizeof steps[0], MONDAY = 4 };

/* Returns the number of a tick's step at or before a day. */
static double step_before(struct step step, double day)
{
    if (step.months == 0)
        return floor((day - MONDAY) / step.days);
    const heed__date date = heed__date_of_day((int64_t)floor(day));
    return floor((date.year * 12 + date.month - 1) / (double)step.months);
}

static double day_of_step(struct step step, double number)
{
    if (step.months == 0)
        return MONDAY + number * step.days;
    const int month = (int)number * step.months;
    return (double)heed__day_number((heed__date){month / 12, month % 12 + 1, 1});
}

/* Writes the parts of a date that a step distinguishes: "2024", "2024-02", "2024-02-29" or "02-29 13:45". */
static void write_label(char label[HEED__TICK_LABEL_SIZE], struct step step, double day)
{
    const int64_t minutes = (int64_t)floor(day * 1440 + 0.5), minute = ((minutes % 1440) + 1440) % 1440;
    const heed__date d = heed__date_of_day((minutes - minute) / 1440);
    if (step.months >= 12)
        (void)snprintf(label, HEED__TICK_LABEL_SIZE, "%d", d.year);
    else if (step.months > 0)
        (void)snprintf(label, HEED__TICK_LABEL_SIZE, "%04d-%02d", d.year, d.month);
    else if (step.days >= 1)
        (void)snprintf(label, HEED__TICK_LABEL_SIZE, "%04d-%02d-%02d", d.year, d.month, d.day);
    else
        (void)snprintf(label, HEED__TICK_LABEL_SIZE, "%02d-%02d %02d:%02d", d.month, d.day, (int)(minute / 60),
                       (int)(minute % 60));
}

/* Counts the steps from low to high. */
static double count_ticks(struct step step, double low, double high)
{
    const double first = step_before(step, low);
    return step_before(step, high) - first + (day_of_step(step, first) >= low);
}

void heed__ticks_dates(heed__ticks *ticks, double low, double high, int most)
{
    int i = 0;
    while (i + 1 < STEPS && count_ticks(steps[i], low, high) > most)
        i++;
    if (i > 0 && count_ticks(steps[i], low, high) < 2 && count_ticks(steps[i - 1], low, high) <= HEED__MAX_TICKS)
        i--;
    *ticks = (heed__ticks){.count = 0};
    const double first = step_before(steps[i], low), last = step_before(steps[i], high);
    for (double n = first; n <= last && ticks->count < HEED__MAX_TICKS; n++) {
        const double day = day_of_step(steps[i], n);
        if (day < low)
            continue;
        heed__tick *tick = &ticks->at[ticks->count++];
        tick->value = day;
        write_label(tick->label, steps[i], day);
    }
}
