/* SPDX-License-Identifier: MIT */
/* Issue ports: their schedulers, and which paths could issue to which functional unit. */
#ifndef SIMT_CORE_ISSUE_H
#define SIMT_CORE_ISSUE_H

#include "entities.h"
#include "functional_units.h"
#include "parameters.h"
#include "scheduler/scheduler.h"

typedef struct simt_core simt_core;

/* Of one kind: an instance for each port. */
typedef struct port_schedulers {
    const scheduler_unit *unit;
    scheduler_shared *shared;
    scheduler *of_port[MAX_SCHEDULERS];
} port_schedulers;

typedef struct issue_state {
    uint32_t ready_words;  /* of the sets of paths below */
    uint32_t announces;    /* somebody is told of an instruction before it issues, */
    uint32_t reports;      /* of each that issues, */
    uint32_t tells;        /* of each change of a path's status */
    uint32_t dual_issue;   /* two instructions of a path may issue from one port in one cycle */
    uint32_t issues_apart; /* they may, or lanes are regrouped */
    uint32_t cycles;       /* an instruction occupies its issue port */
    uint32_t delay; /* of the instruction that issues: cycles until its operands come and its pipeline takes it */
    hd_time register_read_time;
    const scheduler_unit *scheduler_unit; /* that is asked and told, and */
    scheduler *const *scheduler; /* its instance of each port: what holds back, if there is such, or the scheduler */
    port_schedulers base, back_off;
    uint64_t port_busy_until[MAX_SCHEDULERS]; /* cycle at which the issue port is free */
    uint64_t port_waits_from[MAX_SCHEDULERS]; /* until then, for operands; only with a read window */
    uint64_t unit_busy_until[UNIT_COUNT];
    uint64_t *own[MAX_SCHEDULERS]; /* paths of each scheduler, a bit each */
    uint64_t *ready[UNIT_COUNT];   /* paths whose instruction can issue, by the unit it needs */
    uint64_t *candidates;          /* scratch */
    uint32_t ready_count[MAX_SCHEDULERS][UNIT_COUNT];
    uint32_t awaits_credit, is_narrow; /* what memory_status said of the edge being worked on */
    uint32_t declined; /* schedulers that were asked last with something ready and let none of it issue, a bit each */
    uint32_t ports_without_room; /* issue ports with something ready that finds none in the memory pipe, a bit each */
    uint32_t ready_units[MAX_SCHEDULERS]; /* those of which ready_count is not 0, a bit each */
    uint32_t ready_ports;                 /* those of which ready_units is not 0, a bit each */
    uint32_t status_count[MAX_SCHEDULERS][PATH_STATUS_COUNT];
} issue_state;

/* schedulers.c. Nonzero: out of memory. */
int issue_create_schedulers(simt_core *core, const hd_value *values);
/* As they are without paths, before anything has issued. */
void issue_reset_schedulers(simt_core *core);
void issue_destroy_schedulers(simt_core *core);
void issue_all(simt_core *core);
/* Somebody has come who wants to be told of instructions or of what paths are doing, or has gone. */
void issue_set_listeners(simt_core *core);
/* issue_may, where some port has no room in the memory pipe. */
uint32_t issue_may_without_room(const simt_core *core);
/* First edge at which something can issue, UINT64_MAX if nothing is ready that has room. It may lie behind. */
uint64_t issue_next(simt_core *core);

#endif
