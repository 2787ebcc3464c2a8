/* SPDX-License-Identifier: MIT */
/* Every replacement policy of the source tree, in the order of the choices of `l2.replacement`; `heddle new unit` adds a line. */
#ifndef CACHE_REPLACEMENT_UNITS_H
#define CACHE_REPLACEMENT_UNITS_H

#include "replacement.h"

/* clang-format off */
#define REPLACEMENT_UNITS(UNIT) \
    UNIT(replacement, lru) \
    UNIT(replacement, fifo) \
    UNIT(replacement, plru) \
    UNIT(replacement, random) \
    /* the end */
/* clang-format on */

REPLACEMENT_UNITS(HD_UNIT_DECLARATION)

#endif
