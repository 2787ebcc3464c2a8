/* SPDX-License-Identifier: MIT */
/* Which paths compute (HD_EXTENSION_COMPUTES), the same in every type of core. */
#ifndef SIMT_CORE_COMPUTING_H
#define SIMT_CORE_COMPUTING_H

#include "counting.h"
#include "hd_time.h"

/* Of one path, when it was looked at last. */
typedef struct computing {
    hd_time t;
    hd_time since;    /* it computes */
    uint64_t retired; /* instructions of its lanes */
} computing;

/* Of its lanes, as long as these are the same; retired is that of its warp. Other lanes hardly ever have the same sum. */
static inline uint64_t path_retired(const path_count *count, const uint64_t *retired)
{
    uint64_t sum = count->active * count->instructions;
    for (uint64_t left = count->lanes; left; left &= left - 1)
        sum += retired[__builtin_ctzll(left)];
    return sum;
}

/* A path as it stands at time t. */
typedef struct computing_path {
    uint64_t retired; /* path_retired */
    hd_time read;     /* when it last read what others may write */
    uint32_t waits;   /* for others, until they have done something */
    uint32_t exists;
} computing_path;

/* Since when it has computed; HD_NEVER: it has issued nothing since it was looked at last, which does not count as computing.
 * `anew`: nobody has looked. */
static inline hd_time computing_check(computing *before, const computing_path *path, hd_time t, uint32_t anew)
{
    const uint32_t issued = path->exists && path->retired != before->retired;
    before->retired = path->retired;
    if (anew || path->waits || !path->exists)
        before->since = t;
    else if (path->read > before->since)
        before->since = path->read;
    else if (!issued)
        before->since += t - before->t;
    before->t = t;
    return issued ? before->since : HD_NEVER;
}

#endif
