/* SPDX-License-Identifier: MIT */
#include "ratio.h"

#include <math.h>

#include "sample.h"

typedef struct stratum {
    uint32_t windows;
    uint32_t joined; /* to this one, itself or another */
    double total;    /* of x */
    double x;        /* in the windows */
    double y;
    double squares; /* of distances */
} stratum;

/* The nearest one that has enough windows by itself; the stratum itself if there is none. */
static uint32_t nearest(const stratum *strata, uint32_t at)
{
    for (uint32_t away = 0; away < RATIO_STRATA; away++) {
        if (at >= away && strata[at - away].windows >= 2)
            return at - away;
        if (at + away < RATIO_STRATA && strata[at + away].windows >= 2)
            return at + away;
    }
    return 0;
}

static void join(stratum *strata)
{
    for (uint32_t i = 0; i < RATIO_STRATA; i++)
        strata[i].joined = nearest(strata, i);
    for (uint32_t i = 0; i < RATIO_STRATA; i++) {
        stratum *to = &strata[strata[i].joined];
        if (strata[i].joined == i)
            continue;
        to->total += strata[i].total;
        to->windows += strata[i].windows;
        strata[i].total = 0;
        strata[i].windows = 0;
    }
}

static double variance(const stratum *s)
{
    const double mean_x = s->x / s->windows, unseen = s->total > s->x ? 1 - s->x / s->total : 0;
    const double error = unseen * s->squares / (s->windows - 1) / s->windows / (mean_x * mean_x);
    return s->total * s->total * error;
}

ratio_estimate ratio_of(const ratio_window *windows, uint32_t count, const double *totals)
{
    stratum strata[RATIO_STRATA] = {{.windows = 0}};
    ratio_estimate found = {.total = 0, .half_width = -1};
    double sum = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < RATIO_STRATA; i++)
        strata[i].total = totals[i];
    for (uint32_t i = 0; i < count; i++)
        strata[windows[i].stratum].windows++;
    join(strata);
    for (uint32_t i = 0; i < count; i++) {
        stratum *of = &strata[strata[windows[i].stratum].joined];
        of->x += windows[i].x;
        of->y += windows[i].y;
    }
    for (uint32_t i = 0; i < count; i++) {
        stratum *of = &strata[strata[windows[i].stratum].joined];
        const double distance = windows[i].y - of->y / of->x * windows[i].x;
        of->squares += distance * distance;
    }
    for (uint32_t i = 0; i < RATIO_STRATA; i++) {
        if (!strata[i].windows)
            continue;
        used++;
        found.total += strata[i].y / strata[i].x * strata[i].total;
        sum += strata[i].windows >= 2 ? variance(&strata[i]) : 0;
    }
    if (count > used)
        found.half_width = student_quantile(1 - SAMPLE_CONFIDENCE, count - used) * sqrt(sum);
    return found;
}
