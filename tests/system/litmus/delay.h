/* SPDX-License-Identifier: MIT */
/*
 * A test's own block, for any link: keeps each packet for a random time, by seed. Packets of one (source, destination, unit,
 * flow) stay in order, as in every network; all others overtake each other. A plug-in: delay/random.
 */
#ifndef LITMUS_DELAY_H
#define LITMUS_DELAY_H

#include "hd_block.h"

enum { DELAY_IN, DELAY_OUT, DELAY_PORTS };
enum { DELAY_MOST, DELAY_ROOM, DELAY_PARAMETERS };
enum { DELAY_FORWARDED, DELAY_OVERTAKEN, DELAY_STATISTICS };

extern const hd_block_class delay_random;

#endif
