/* SPDX-License-Identifier: MIT */
/* Likely-convergence points of stacks: how they are chosen. Source: Fung 2015 §3.4. */
#ifndef SIMT_CORE_LIKELY_H
#define SIMT_CORE_LIKELY_H

#include "hd_block.h"
#include "likely_points.h"

#define LIKELY_NONE 0u /* of likely_points */
#define LIKELY_BY_LOOPS 1u
#define LIKELY_BY_PROFILE 2u

#define LIKELY_PARAMETERS(points, profile)                                                                             \
    [points] = {.name = "likely_points",                                                                               \
                .type = HD_TYPE_CHOICE,                                                                                \
                .standard = "none",                                                                                    \
                .choices = "none|loops|profile",                                                                       \
                .doc = "likely-convergence points, where most lanes that part meet before the post-dominator: none, "  \
                       "as if few left loops from their middle, or as branch_profile says"},                           \
    [profile] = {.name = "branch_profile",                                                                             \
                 .type = HD_TYPE_TEXT,                                                                                 \
                 .standard = "",                                                                                       \
                 .doc = "file of 'heddle profile --branches', for likely_points: profile"}

/* A profile that nobody reads would be taken for one that changes nothing. */
#define LIKELY_IGNORES_PROFILE(way)                                                                                    \
    {                                                                                                                  \
        .what = HD_REQUIRES_CHOICE, .sentence = "needs likely_points: profile for a branch_profile",                   \
        .parameter = ".branch_profile", .word = "", .when = ".likely_points", .when_word = way                         \
    }
#define LIKELY_REQUIREMENTS                                                                                            \
    LIKELY_IGNORES_PROFILE("none"), LIKELY_IGNORES_PROFILE("loops"),                                                   \
    {                                                                                                                  \
        .what = HD_REQUIRES_FILE, .sentence = "needs a branch_profile that can be read for likely_points: profile",    \
        .parameter = ".branch_profile", .when = ".likely_points", .when_word = "profile"                               \
    }

/* The analysis of these values of the two parameters, in *own if it is none that any program can have; NULL: none. */
static inline const isa_analysis *likely_analysis(const hd_value *points, const hd_value *profile, isa_analysis *own)
{
    if (points->u == LIKELY_BY_PROFILE)
        *own = isa_likely_points_by(profile->text);
    return points->u == LIKELY_NONE ? NULL : points->u == LIKELY_BY_LOOPS ? &isa_likely_points : own;
}

#endif
