/* SPDX-License-Identifier: MIT */
/* Every spin detector of the source tree, in the order of the choices of `core.spin`; `heddle new unit` adds a line. */
#ifndef SIMT_CORE_SPIN_UNITS_H
#define SIMT_CORE_SPIN_UNITS_H

#include "spin.h"

/* clang-format off */
#define SPIN_UNITS(UNIT) \
    UNIT(spin, ddos) \
    UNIT(spin, static) \
    UNIT(spin, oracle) \
    /* the end */
/* clang-format on */

SPIN_UNITS(HD_UNIT_DECLARATION)

#endif
