/* SPDX-License-Identifier: MIT */
#include "tx_port_rig.h"

#include "reconvergence/reconvergence_units.h"
#include "reconvergence/stack.h"
#include "tx_port_memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fake_core fake;

static void note(char what, uint32_t number)
{
    const size_t length = strlen(fake.events);
    cr_assert_lt(length, EVENTS - 3);
    fake.events[length] = what;
    fake.events[length + 1] = (char)('0' + number);
}

static void addresses(const void *core, uint32_t path, uint32_t *address)
{
    (void)path;
    for (uint32_t lane = 0; lane < LANES; lane++)
        address[lane] = ((const fake_core *)core)->address;
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

static void start(void *core, uint32_t path)
{
    (void)core;
    note('s', path);
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

static void await_room(void *core)
{
    wake(core, ((const fake_core *)core)->now.n + 1);
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
    cr_expect(cause->reason == TX_PROGRAM || cause->reason == TX_OWN_REASONS);
}

static const tx_port port = {.addresses = addresses,
                             .save_registers = save,
                             .restore_registers = restore,
                             .suspend = suspend,
                             .start = start,
                             .resume = resume,
                             .recheck = of_warp,
                             .recheck_ready = of_warp,
                             .before_lanes_change = of_core,
                             .look_for_ends = of_core,
                             .commit_of = commit_of,
                             .accesses_in_flight = in_flight,
                             .wake = wake,
                             .await_room = await_room,
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

/* ---- Life ------------------------------------------------------------------------------------------------------------ */

static void progress(void *context, hd_time t)
{
    (void)context, (void)t;
}

static const void *extension(void *context, const char *id)
{
    (void)context;
    return strcmp(id, HD_EXTENSION_TRANSACTIONS) ? NULL : fake.told;
}

transactions *tx_port_start_with(const tx_chosen *chosen, uint32_t count, uint64_t checkpoint)
{
    static const reconvergence_events events = {
        .added = path_comes_or_goes, .changed = path_changed, .removed = path_comes_or_goes};
    memset(&fake.counters, 0, sizeof fake.counters);
    memset(fake.events, 0, sizeof fake.events);
    fake.services = (hd_services){.progress = progress, .extension = extension};
    fake.parameters[TX_PARAMETER_TX_LOG_BYTES].u = 64;
    fake.parameters[TX_PARAMETER_TX_CHECKPOINT].u = checkpoint;
    fake.parameters[TX_PARAMETER_TX_CONCURRENCY].u = 1;
    fake.now.n = 100;
    fake.wake = UINT64_MAX;
    fake.port = (tx_core){.context = &fake,
                          .port = &port,
                          .services = &fake.services,
                          .parameters = fake.parameters,
                          .chosen = chosen,
                          .chosen_count = count,
                          .lane_count = LANES,
                          .warp_count = WARPS,
                          .block_count = 1,
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

void tx_port_stop(transactions *t)
{
    tx_destroy(t);
    reconvergence_stack.destroy(fake.port.reconvergence);
}

void tx_port_expect_events(const char *events)
{
    cr_expect_str_eq(fake.events, events);
    memset(fake.events, 0, sizeof fake.events);
}

void tx_port_execute(transactions *t, uint32_t path, uint32_t word)
{
    isa_instruction instruction = isa_decode(word);
    cr_expect_not(tx_holds(t, path, &instruction));
    tx_execute(t, path, &instruction);
}

void tx_port_reach_commit(uint32_t path)
{
    reconvergence_stack.paths(fake.port.reconvergence)[path].pc = COMMIT;
}
