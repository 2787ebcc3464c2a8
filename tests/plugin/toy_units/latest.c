/* SPDX-License-Identifier: MIT */
/* A replacement policy of a plug-in: the line that was used last goes, and for each so many lines the one that was not used for
 * longest. */
#include <stdlib.h>

#include "replacement.h"

enum { OLDEST_EVERY, PARAMETERS };
enum { OLDEST, STATISTICS };

typedef struct latest {
    hd_unit_share share;
    uint32_t ways;
    uint32_t lines;
    uint64_t installs;
    uint64_t now;
    uint64_t used[]; /* [line]: when */
} latest;

static replacement *create(const replacement_parameters *parameters)
{
    const uint32_t lines = parameters->sets * parameters->ways;
    latest *r = calloc(1, sizeof *r + lines * sizeof *r->used);
    if (!r)
        return NULL;
    r->share = parameters->share;
    r->ways = parameters->ways;
    r->lines = lines;
    return (replacement *)r;
}

static void destroy(replacement *unit)
{
    free(unit);
}

static void reset(replacement *unit, uint64_t seed)
{
    latest *r = (latest *)unit;
    (void)seed;
    r->installs = r->now = 0;
    for (uint32_t line = 0; line < r->lines; line++)
        r->used[line] = 0;
}

static uint32_t takes_oldest(const latest *r)
{
    return r->installs % r->share.values[OLDEST_EVERY].u == r->share.values[OLDEST_EVERY].u - 1;
}

static void used(replacement *unit, uint32_t line)
{
    latest *r = (latest *)unit;
    r->used[line] = ++r->now;
}

static void installed(replacement *unit, uint32_t line)
{
    latest *r = (latest *)unit;
    r->share.counters[OLDEST] += takes_oldest(r);
    r->installs++;
    used(unit, line);
}

static uint32_t victim(const replacement *unit, uint32_t first, const uint8_t *stays)
{
    const latest *r = (const latest *)unit;
    uint32_t best = NO_VICTIM;
    for (uint32_t line = first; line < first + r->ways; line++)
        if (!stays[line - first] &&
            (best == NO_VICTIM || (takes_oldest(r) ? r->used[line] < r->used[best] : r->used[line] > r->used[best])))
            best = line;
    return best;
}

static const replacement_unit functions = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .installed = installed,
    .used = used,
    .victim = victim,
};

static const hd_parameter parameters[PARAMETERS] = {
    [OLDEST_EVERY] = {.name = "oldest_every",
                      .type = HD_TYPE_UNSIGNED,
                      .standard = "32",
                      .minimum = 1,
                      .maximum = 1000000,
                      .doc = "of so many lines that come, the last takes the place of the oldest"},
};

static const hd_statistic statistics[STATISTICS] = {
    [OLDEST] = {.name = "latest_gave_up_oldest",
                .unit = "lines",
                .kind = HD_STATISTIC_COUNT,
                .doc = "lines that came when it was the oldest's turn to go"},
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_RANGE,
     .sentence = "needs 2 ways at least",
     .parameter = "..ways", /* of the cache that it is in */
     .minimum = 2,
     .maximum = UINT64_MAX},
};

const hd_unit toy_latest = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "replacement",
    .name = "latest",
    .doc = "the line that was used last, now and then the oldest",
    .source = "an example",
    .interface = REPLACEMENT_INTERFACE,
    .functions = &functions,
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .statistic_count = STATISTICS,
    .statistics = statistics,
    .requirement_count = sizeof requirements / sizeof *requirements,
    .requirements = requirements,
};
