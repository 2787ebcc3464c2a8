/* SPDX-License-Identifier: MIT */
/* Every warp scheduler of the source tree, in the order of the choices of `core.scheduler`; `heddle new unit` adds a line. */
#ifndef SIMT_CORE_SCHEDULER_UNITS_H
#define SIMT_CORE_SCHEDULER_UNITS_H

#include "scheduler.h"

/* clang-format off */
#define SCHEDULER_UNITS(UNIT) \
    UNIT(scheduler, lrr) \
    UNIT(scheduler, gto) \
    UNIT(scheduler, glrr) \
    UNIT(scheduler, dwf) \
    UNIT(scheduler, block) \
    UNIT(scheduler, cawa) \
    /* the end */
/* clang-format on */

SCHEDULER_UNITS(HD_UNIT_DECLARATION)

#endif
