/* SPDX-License-Identifier: MIT */
/* Where the lanes of a warp are and what they wait for, as lines for people ("heddle.pending/1"). */
#ifndef SIMT_CORE_DESCRIBE_H
#define SIMT_CORE_DESCRIBE_H

#include "hd_extension.h"
#include "paths_of.h"
#include "reconvergence.h"
#include "warp_place.h"

#define DESCRIBED_WARPS 4u /* of one core; the others are counted */

typedef struct path_activity {
    const char *text; /* "waits at a barrier" */
    uint32_t
        may_spin; /* it may go on for ever without any effect: it does not wait until somebody else has done something */
} path_activity;

typedef struct warp_description {
    warp_place place;
    const reconvergence_unit *unit;
    reconvergence *reconvergence;
    uint32_t warp; /* slot */
    uint32_t lanes;
    uint32_t repeats;  /* its state has been the same before, with what it reads as it is, */
    uint32_t for_ever; /* and nobody else of the core may write that */
    path_range paths; /* those that may have lanes of the warp */
    void *context;
    path_activity (*activity)(void *context, uint32_t path);
} warp_description;

void describe_warp(const warp_description *warp, const hd_text_sink *sink);

#endif
