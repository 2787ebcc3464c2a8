/* SPDX-License-Identifier: MIT */
/*
 * What a thread knows of others: of each up to which report. Clocks do not change once they are made, and are shared; NULL knows
 * nothing.
 */
#ifndef RACE_CHECK_CLOCK_H
#define RACE_CHECK_CLOCK_H

#include <stdint.h>

#define CLOCK_ENTRIES 256u
#define CLOCK_OF_BLOCK (UINT64_C(1) << 63) /* all threads of the block with this first thread */

typedef struct clock_entry {
    uint64_t who;
    uint64_t until;
} clock_entry;

typedef struct race_clock {
    uint32_t references;
    uint32_t count;
    uint64_t floor;        /* of everybody */
    clock_entry entries[]; /* by who */
} race_clock;

/* Up to which report the clock knows of `who`. */
uint64_t clock_until(const race_clock *clock, uint64_t who);

/* Each takes over the caller's reference to *clock, and leaves one to what comes of it. */
void clock_join(race_clock **clock, const race_clock *other);
void clock_learn(race_clock **clock, uint64_t who, uint64_t until);
void clock_drop(race_clock **clock);
/* *clock becomes another name of `other`. */
void clock_share(race_clock **clock, race_clock *other);

#endif
