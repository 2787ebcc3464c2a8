/* SPDX-License-Identifier: MIT */
/* Units that use what the contracts of schedulers and reconvergence units offer and the core's own do not; for kit_fit_unit. */
#ifndef TEST_TOY_UNITS_H
#define TEST_TOY_UNITS_H

#include "hd_unit.h"
#include "path_event.h"

/* As lrr and as stack, and told of everything. */
extern const hd_unit toy_listening_scheduler, toy_listening_stack;
#define TOY_EVENTS 4096u
#define TOY_LANES 64u
typedef struct toy_log {
    path_event events[TOY_EVENTS];
    /* PATH_COMPARED: the operands of each lane, as they were then. */
    uint32_t left[TOY_EVENTS][TOY_LANES], right[TOY_EVENTS][TOY_LANES];
    uint32_t count; /* may be larger than TOY_EVENTS: the later ones are lost */
} toy_log;
extern toy_log toy_heard;

/* The first that is ready, at least toy_patience cycles after the last issue of any port of the core. */
extern const hd_unit toy_patient_scheduler;
extern uint64_t toy_patience;
extern uint32_t toy_asked; /* how often some instance was */

/* The first that is ready, but path 0 not before cycle toy_hold; and when path 1 has issued. */
extern const hd_unit toy_holding_scheduler;
#define TOY_ISSUES 16u
extern uint64_t toy_hold, toy_issues[TOY_ISSUES];
extern uint32_t toy_issue_count;

/* The first that is ready; but if toy_pick is not NO_PATH, that path whatever is ready; and if toy_declines, none, until the cycle
 * so much after the one in which it is asked. */
extern const hd_unit toy_wrong_scheduler;
extern uint32_t toy_pick;
extern uint32_t toy_declines;
extern int32_t toy_after;

/* As stack, but blocks begin toy_delay cycles after their launch. */
extern const hd_unit toy_late_stack;
extern uint64_t toy_delay;

/* A path per warp, whose lanes take turns: those that have parted never meet again, and change at barriers and ends alone. */
extern const hd_unit toy_turns;

#endif
