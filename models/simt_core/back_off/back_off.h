/* SPDX-License-Identifier: MIT */
/*
 * What stands between an issue port and its scheduler, and holds some warps back: a scheduler (scheduler.h) that is given another one,
 * `base` of its parameters, and picks for the port. It tells that one all that it would be told of without it: paths that come
 * and go, and the events that it wants. Source: ElTantawy 2018 §6.2.
 */
#ifndef SIMT_CORE_BACK_OFF_H
#define SIMT_CORE_BACK_OFF_H

#include "scheduler.h"

#define BACK_OFF_INTERFACE "heddle.back_off/2" /* hd_unit.functions is a back_off_unit */

typedef scheduler_unit back_off_unit;

/* Those that must be there. */
#define BACK_OFF_FUNCTIONS SCHEDULER_FUNCTIONS

#endif
