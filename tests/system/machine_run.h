/* SPDX-License-Identifier: MIT */
/* A run in this process, watched on every link, for tests that need many of them. */
#ifndef SYSTEM_MACHINE_RUN_H
#define SYSTEM_MACHINE_RUN_H

#include <jansson.h>

#include "machine.h"

#define RUN_CHANGES 24

typedef struct run_request {
    const char *netlist;
    const char *app;         /* folder */
    const char *const *sets; /* as after --set, of the machine and of the app; NULL at the end */
    uint64_t seed;           /* 0 = 1 */
    netlist_registry more;
    hd_tlm_options tlm;
    uint32_t check_transactions;
    uint32_t check_memory;
    uint32_t check_races;
    uint32_t reserved;
    uint64_t disturbance; /* of the engine (hd_engine_disturb); 0 = none */
    uint32_t is_traced;   /* its trace events are counted */
} run_request;

typedef struct machine_run {
    uint32_t outcome; /* HD_OUTCOME_* */
    char *message;    /* of the machine, or why it was refused */
    int was_refused;  /* there was no run */
    hd_time time;
    json_t *results;  /* as in the file, without `host` */
    json_t *traced;   /* of a traced run: {"kind/type": {"event": count}} */
    json_t *measures; /* of the run, links included; after a PASS once everything has come to rest */
} machine_run;

/* After a PASS without transport calls everything comes to rest, and the test fails unless no packet is left anywhere
 * and every credit is back; then all identities are asserted (identities.h). After any other PASS those that hold at
 * any time. */
machine_run run_machine(const run_request *request);
void run_free(machine_run *run);

#endif
