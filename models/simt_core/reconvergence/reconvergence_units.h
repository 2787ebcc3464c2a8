/* SPDX-License-Identifier: MIT */
/* Every reconvergence unit of the source tree, in the order of the choices of `core.reconvergence`; `heddle new unit` adds a line. */
#ifndef SIMT_CORE_RECONVERGENCE_UNITS_H
#define SIMT_CORE_RECONVERGENCE_UNITS_H

#include "reconvergence.h"

/* clang-format off */
#define RECONVERGENCE_UNITS(UNIT) \
    UNIT(reconvergence, stack) \
    UNIT(reconvergence, mimd) \
    UNIT(reconvergence, aware) \
    /* the end */
/* Those that regroup lanes, which only timed cores can have. */
#define REGROUPING_UNITS(UNIT) \
    UNIT(reconvergence, dwf) \
    UNIT(reconvergence, dwf_wb) \
    UNIT(reconvergence, block_stack) \
    UNIT(reconvergence, mp)
/* clang-format on */

RECONVERGENCE_UNITS(HD_UNIT_DECLARATION)
REGROUPING_UNITS(HD_UNIT_DECLARATION)

#endif
