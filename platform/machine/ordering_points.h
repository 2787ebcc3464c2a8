/* SPDX-License-Identifier: MIT */
/* The ordering points of a machine, and who listens to them from outside of it. */
#ifndef ORDERING_POINTS_H
#define ORDERING_POINTS_H

#include "machine_internal.h"

typedef struct ordering_points {
    uint32_t count;
    uint32_t reserved;
    hd_tlm_tap *taps; /* [count]: tap and context are the listener's to fill in; element is the next free one */
} ordering_points;

/* To be freed: taps. */
ordering_points ordering_points_find(const hd_machine *machine);

/* Listeners of a machine: taps of several checks one behind the other, each at the next element. */
typedef struct ordering_taps {
    uint32_t count;
    uint32_t listeners;
    hd_tlm_tap *taps;
} ordering_taps;

/* One more listener at every point; `of` gives its context at that point. */
void ordering_taps_add(ordering_taps *taps, const ordering_points *points, const struct hd_tap *tap, void *listener,
                       hd_block *(*of)(void *listener, uint32_t point));

#endif
