/* SPDX-License-Identifier: MIT */
/*
 * Transactions through their port alone: a core that is a list of what it was asked, a memory pipe in which nothing is
 * (tx_port_memory.c), and a protocol that commits at once. Two warps of four lanes.
 */
#include "reconvergence/reconvergence_units.h"
#include "reconvergence/stack.h"
#include "tx/tx.h"
#include "tx_port_memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARPS 2u
#define LANES 4u
#define ALL 0xFu
#define BEGIN 0x100u /* pc of tx.begin, and of its tx.commit */
#define COMMIT 0x140u
#define EVENTS 256u
#define TX_BEGIN_1 0x0010000Bu /* tx.begin 1, tx.commit, tx.abort */
#define TX_COMMIT_WORD 0x0000100Bu
#define TX_ABORT_WORD 0x0000200Bu

/* ---- The core ------------------------------------------------------------------------------------------------------- */

typedef struct fake_core {
    tx_core port;
    hd_services services;
    hd_cursor now;
    hd_value parameters[TX_PARAMETER_COUNT];
    tx_counters counters;
    char events[EVENTS];  /* what was asked, a letter and the path or warp each */
    uint64_t wake, lanes; /* edge asked for; lanes of the latest restore */
    uint32_t in_flight;
    char fault[128];
} fake_core;
static fake_core fake;

static void note(char what, uint32_t number)
{
    const size_t length = strlen(fake.events);
    cr_assert_lt(length, EVENTS - 3);
    fake.events[length] = what;
    fake.events[length + 1] = (char)('0' + number);
}

static void save(const void *core, uint32_t path, uint64_t lanes, uint32_t *words, uint8_t *fcsr)
{
    (void)core, (void)words, (void)fcsr;
    cr_expect_eq(lanes, ALL);
    note('s', path);
}

static void restore(const void *core, uint32_t path, uint64_t lanes, const uint32_t *words, const uint8_t *fcsr)
{
    (void)core, (void)words, (void)fcsr;
    fake.lanes = lanes;
    note('l', path);
}

static void suspend(void *core, uint32_t path)
{
    (void)core;
    note('w', path);
}

static void resume(void *core, uint32_t path)
{
    fake_core *f = core;
    f->port.reconvergence_unit->paths(f->port.reconvergence)[path].pc += 4;
    note('r', path);
}

static void of_warp(void *core, uint32_t warp)
{
    (void)core, (void)warp;
}

static void of_core(void *core)
{
    (void)core;
}

static uint32_t in_flight(const void *core, uint32_t path)
{
    (void)path;
    return ((const fake_core *)core)->in_flight;
}

static void wake(void *core, uint64_t edge)
{
    fake_core *f = core;
    f->wake = edge < f->wake ? edge : f->wake;
}

static void fault(void *core, uint32_t warp, uint32_t pc, uint64_t lanes, const char *text)
{
    (void)warp, (void)pc, (void)lanes;
    snprintf(((fake_core *)core)->fault, sizeof fake.fault, "%s", text);
}

static uint32_t commit_of(const void *core, uint32_t path)
{
    (void)core, (void)path;
    return COMMIT;
}

static uint32_t never(const void *core)
{
    (void)core;
    return 0;
}

static tx_block block_of(const void *core, uint32_t warp)
{
    static const hd_grid grid = {.private_bytes = 64};
    (void)core, (void)warp;
    return (tx_block){.grid = &grid, .warps = WARPS};
}

static void state_changes(void *core, uint32_t warp, uint32_t before, uint32_t now)
{
    (void)core, (void)warp, (void)before, (void)now;
}

static void lanes_at(void *core, uint32_t warp, uint32_t pc, uint64_t lanes)
{
    (void)core, (void)warp, (void)lanes;
    cr_expect_eq(pc, BEGIN);
}

static void lanes_count(void *core, uint32_t warp, uint64_t lanes)
{
    (void)core, (void)warp, (void)lanes;
}

static void lanes_abort(void *core, uint32_t warp, uint64_t lanes, const tx_cause *cause)
{
    (void)core, (void)lanes;
    note('a', warp);
    cr_expect_eq(cause->reason, TX_PROGRAM);
}

static const tx_port port = {.save_registers = save,
                             .restore_registers = restore,
                             .suspend = suspend,
                             .resume = resume,
                             .recheck = of_warp,
                             .recheck_ready = of_warp,
                             .before_lanes_change = of_core,
                             .look_for_ends = of_core,
                             .commit_of = commit_of,
                             .accesses_in_flight = in_flight,
                             .wake = wake,
                             .fault = fault,
                             .is_halted = never,
                             .block_of = block_of,
                             .state_changes = state_changes,
                             .lanes_begin = lanes_at,
                             .lanes_commit = lanes_at,
                             .lanes_count = lanes_count,
                             .lanes_abort = lanes_abort};

static void path_changed(void *context, uint32_t path)
{
    (void)context;
    note('c', path);
}

static void path_comes_or_goes(void *context, uint32_t path)
{
    (void)context, (void)path;
}

/* ---- The protocol ---------------------------------------------------------------------------------------------------- */

static tx *create(transactions *t)
{
    return (tx *)t;
}

static void of_unit(tx *unit)
{
    (void)unit;
}

static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)unit, (void)warp, (void)lanes;
}

static void aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    (void)unit, (void)warp, (void)lanes, (void)reason;
}

static void commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    tx_decide((transactions *)unit, warp, lanes, 0, TX_NO_REASON);
}

static uint32_t nothing(const tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
    return 0;
}

static const tx_unit at_once = {.domains = TX_GLOBAL,
                                .create = create,
                                .destroy = of_unit,
                                .reset = of_unit,
                                .begin = begin,
                                .aborted = aborted,
                                .commit = commit,
                                .in_flight = nothing,
                                .work = of_unit};

/* ---- Tests ----------------------------------------------------------------------------------------------------------- */

static void progress(void *context, hd_time t)
{
    (void)context, (void)t;
}

static const void *no_extension(void *context, const char *id)
{
    (void)context, (void)id;
    return NULL;
}

static transactions *start(uint64_t checkpoint)
{
    static const reconvergence_events events = {
        .added = path_comes_or_goes, .changed = path_changed, .removed = path_comes_or_goes};
    fake.services = (hd_services){.progress = progress, .extension = no_extension};
    fake.parameters[TX_PARAMETER_TX_LOG_BYTES].u = 64;
    fake.parameters[TX_PARAMETER_TX_CHECKPOINT].u = checkpoint;
    fake.parameters[TX_PARAMETER_TX_CONCURRENCY].u = 1;
    fake.now.n = 100;
    fake.wake = UINT64_MAX;
    fake.port = (tx_core){.context = &fake,
                          .port = &port,
                          .services = &fake.services,
                          .parameters = fake.parameters,
                          .unit = &at_once,
                          .lane_count = LANES,
                          .warp_count = WARPS,
                          .accesses = 8,
                          .log_line_bytes = HD_LINE_BYTES,
                          .reconvergence_unit = &reconvergence_stack,
                          .memory = (memory *)&tx_port_memory,
                          .now = &fake.now,
                          .counters = &fake.counters};
    static const hd_value values[STACK_PARAMETERS];
    const reconvergence_parameters parameters = {.warps = WARPS, .lanes = LANES, .share = {.values = values}};
    fake.port.reconvergence = reconvergence_stack.create(&parameters, &events);
    fake.port.paths = reconvergence_stack.paths(fake.port.reconvergence);
    const uint64_t all = ALL;
    for (uint32_t warp = 0; warp < WARPS; warp++)
        reconvergence_stack.launch(fake.port.reconvergence, &(block_warps){&warp, 1}, BEGIN, &all);
    transactions *t = tx_create(&fake.port);
    cr_assert_not_null(t);
    tx_reset(t);
    return t;
}

static void stop(transactions *t)
{
    tx_destroy(t);
    reconvergence_stack.destroy(fake.port.reconvergence);
}

static void expect_events(const char *events)
{
    cr_expect_str_eq(fake.events, events);
    memset(fake.events, 0, sizeof fake.events);
}

static void execute(transactions *t, uint32_t path, uint32_t word)
{
    isa_instruction instruction = isa_decode(word);
    cr_expect_not(tx_holds(t, path, &instruction));
    tx_execute(t, path, &instruction);
}
static void reach_commit(uint32_t path)
{
    reconvergence_stack.paths(fake.port.reconvergence)[path].pc = COMMIT;
}

Test(tx_port, a_path_waits_while_it_begins_and_commits)
{
    transactions *t = start(0);
    execute(t, 0, TX_BEGIN_1);
    expect_events("w0s0r0");
    cr_expect(tx_is_inside(t, 0));
    cr_expect_not(tx_is_inside(t, 1));
    reach_commit(0);
    execute(t, 0, TX_COMMIT_WORD);
    expect_events("w0c0");
    cr_expect_not(tx_is_inside(t, 0));
    cr_expect_eq(fake.port.paths[0].pc, COMMIT + 4);
    cr_expect_eq(fake.counters.tx_commits, LANES);
    stop(t);
}

Test(tx_port, the_checkpoint_takes_its_time)
{
    transactions *t = start(7);
    execute(t, 1, TX_BEGIN_1);
    expect_events("w1s1");
    cr_expect_eq(fake.wake, 107);
    fake.now.n = 107;
    cr_expect_eq(tx_work(t), UINT64_MAX);
    expect_events("r1");
    stop(t);
}

/* All lanes abort; the attempt starts again when nothing of it is in flight. */
Test(tx_port, lanes_that_abort_get_their_registers_back)
{
    transactions *t = start(0);
    execute(t, 0, TX_BEGIN_1);
    expect_events("w0s0r0");
    fake.in_flight = 1;
    execute(t, 0, TX_ABORT_WORD);
    expect_events("a0w0");
    for (; fake.now.n < 110; fake.now.n++)
        tx_work(t);
    expect_events("");
    fake.in_flight = 0;
    tx_access_done(t, &(ticket_state){.instruction = &t->walk, .path = 1, .warp = 0}, 0, NULL, 1);
    cr_expect_eq(t->warps[0].state, TX_DRAIN, "that was another path's");
    tx_access_done(t, &(ticket_state){.instruction = &t->walk, .path = 0, .warp = 0}, 0, NULL, 1);
    cr_expect_eq(t->warps[0].state, TX_RETRY);
    for (; fake.now.n < 120; fake.now.n++)
        tx_work(t);
    expect_events("l0c0");
    cr_expect_eq(fake.lanes, ALL);
    cr_expect_eq(fake.port.paths[0].pc, BEGIN + 4);
    cr_expect_eq(fake.counters.tx_retries, 1);
    stop(t);
}

/* One token: the second warp begins when the first has ended. */
Test(tx_port, warps_wait_for_a_token)
{
    transactions *t = start(0);
    execute(t, 0, TX_BEGIN_1);
    execute(t, 1, TX_BEGIN_1);
    expect_events("w0s0r0w1");
    cr_expect_str_eq(tx_describe(t, 1), "waits to begin a transaction: as many warps as may are in one");
    reach_commit(0);
    execute(t, 0, TX_COMMIT_WORD);
    expect_events("w0s1r1c0");
    stop(t);
}

Test(tx_port, a_fault_is_said_by_the_core)
{
    transactions *t = start(0);
    execute(t, 0, TX_COMMIT_WORD);
    cr_expect_str_eq(fake.fault, "tx.commit or tx.abort, but no transaction runs");
    stop(t);
}
