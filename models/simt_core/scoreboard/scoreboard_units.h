/* SPDX-License-Identifier: MIT */
/* Every scoreboard of the source tree, in the order of the choices of `core.scoreboard`; `heddle new unit` adds a line. */
#ifndef SIMT_CORE_SCOREBOARD_UNITS_H
#define SIMT_CORE_SCOREBOARD_UNITS_H

#include "scoreboard.h"

/* clang-format off */
#define SCOREBOARD_UNITS(UNIT) \
    UNIT(scoreboard, register_dependence) \
    UNIT(scoreboard, simple) \
    UNIT(scoreboard, reserved_masks) \
    /* the end */
/* clang-format on */

SCOREBOARD_UNITS(HD_UNIT_DECLARATION)

#endif
