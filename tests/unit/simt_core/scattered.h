/* SPDX-License-Identifier: MIT */
/*
 * A transaction whose accesses are scattered over the partitions, for tests that count what a warp of it sends: each of the 12 lanes
 * loads two words, and every second one stores their sum. Partitions change every 256 bytes: the first loads, in 12 * 64 B, touch
 * 3 of them, the second ones, in 12 * 128 B, all 4; the stores, 24 bytes of 48, one.
 */
#ifndef SCATTERED_H
#define SCATTERED_H

#include "core_rig.h"

#define LANES 12u /* of the warp that runs it */

/* The program; borrowed. */
const uint32_t *scattered_words(void);
/* Sets what it loads, and launches it. */
void scattered_launch(core_rig *rig);
/* It has ended, and done what it should. */
void scattered_expect(core_rig *rig);
/* Of the functions of that name in lazy.h and protocol_kilo_rig.h. */
uint32_t scattered_refuses_lane_4_once(uint32_t warp, uint32_t attempt, uint32_t lane, uint32_t partition);

#endif
