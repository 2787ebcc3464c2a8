/* SPDX-License-Identifier: MIT */
/* Every unit of the source tree that holds warps back, in the order of the choices of `core.back_off`; `heddle new unit` adds a line. */
#ifndef SIMT_CORE_BACK_OFF_UNITS_H
#define SIMT_CORE_BACK_OFF_UNITS_H

#include "back_off.h"

/* clang-format off */
#define BACK_OFF_UNITS(UNIT) \
    UNIT(back_off, bows) \
    /* the end */
/* clang-format on */

BACK_OFF_UNITS(HD_UNIT_DECLARATION)

#endif
