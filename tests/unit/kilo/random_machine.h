/* SPDX-License-Identifier: MIT */
/* Random machines of timed cores with Kilo TM, WarpTM or EAPG: any combination of the switches, tables down to one entry, late packets. */
#ifndef KILO_RANDOM_MACHINE_H
#define KILO_RANDOM_MACHINE_H

#include "kilo_machine.h"

/* What the machines of a kind of schedules have in common. */
typedef struct kind {
    uint32_t is_warp_level; /* WarpTM: 1 at random, 2 always */
    uint32_t is_silent;     /* temporal conflict detection */
    uint32_t is_tiny;       /* tables of a few entries */
    uint32_t is_unresolved; /* lanes of a warp are not checked against each other, where they should be */
    const char *unit;       /* a setting that holds for all; NULL: none */
    uint32_t is_told;    /* EAPG, 1: cores know which words are being committed; 2: with all that it may be instead */
    const char *core[3]; /* settings that hold for all */
} kind;

/* Advances *seed. */
shape random_machine_draw(uint64_t *seed, const kind *kind);

#endif
