/* SPDX-License-Identifier: MIT */
/* What the memory pipe answers: values for registers, mistakes in addresses, stores acknowledged, code that was missing. */
#include "core_lanes.h"
#include "reconvergence_port.h"
#include "tx/tx.h"

/* What registers hold, and not what they should have been given. */
static void record_loaded(simt_core *core, const ticket_state *access, lane_homes homes, uint64_t mask)
{
    const isa_instruction *instruction = access->instruction;
    const isa_lanes *lanes = registers_gather(&core->registers, homes, instruction->writes, mask);
    tx_record_loaded(core->tx.transactions, access, mask, lanes->registers + (size_t)instruction->rd * lanes->lanes);
}

static inline void take_values(simt_core *core, uint32_t ticket, uint64_t mask, const uint32_t *value, uint32_t last)
{
    const ticket_state *access = &core->tickets[ticket];
    const isa_instruction *instruction = access->instruction;
    if (__builtin_expect(access->tries_lock != 0, 0) && mask)
        lock_tries_answered(core, ticket, mask, value);
    if (instruction->writes && mask) {
        const lane_homes homes = homes_at(&core->kept, access->homes);
        isa_load_values(instruction, value, registers_gather(&core->registers, homes, 0, mask), mask);
        registers_scatter(&core->registers, homes, instruction->writes, mask);
        if (__builtin_expect(tx_wants_loaded(core->tx.transactions), 0))
            record_loaded(core, access, homes, mask);
    }
    write_back_loaded(core, access, mask, value, last);
}

/* Of an access of which somebody is told. */
static __attribute__((noinline)) void take_values_and_tell(simt_core *core, uint32_t ticket, uint64_t mask,
                                                           const uint32_t *value, uint32_t last, hd_time t)
{
    const uint32_t told = core->tickets[ticket].told;
    if (told & TICKET_SAMPLED && mask)
        core_report_sampled(core, ticket, mask, t);
    take_values(core, ticket, mask, value, last);
    if (told & TICKET_WATCHED)
        watched_done(core, ticket, mask, last);
}

static void done(void *context, uint32_t ticket, uint64_t mask, const uint32_t *value, uint32_t last, hd_time t)
{
    simt_core *core = context;
    const ticket_state *access = &core->tickets[ticket];
    if (__builtin_expect(core->reconvergence.unit->accessed != NULL, 0) && reconvergence_port_done(core, access))
        return;
    if (__builtin_expect(access->told, 0))
        take_values_and_tell(core, ticket, mask, value, last, t);
    else
        take_values(core, ticket, mask, value, last);
}

static void fault(void *context, const memory_access *access, uint32_t lane, hd_time t, const char *what)
{
    simt_core *core = context;
    const uint64_t lanes = UINT64_C(1) << lane;
    (void)t;
    if (!tx_forgives(core->tx.transactions, access->path, lanes, access->pc, what))
        core_fault(core, homes_at(&core->kept, access->homes), access->pc, lanes, HD_DEBUG_FAULT_ADDRESS, "%s", what);
}

static void drained(void *context, uint32_t warp, hd_time t)
{
    simt_core *core = context;
    (void)t;
    residency_recheck_ends(core);
    front_end_recheck_warp(core, warp);
}

static void fetched(void *context, uint32_t path, uint32_t sequence)
{
    front_end_fetched(context, path, sequence);
}

static void context_sent(void *context)
{
    engine_sent(context);
}

static void context_answered(void *context, uint64_t number, const void *bytes, uint32_t count)
{
    if (number & ARRAY_REQUEST)
        arrays_answered(context, number, bytes);
    else
        engine_answered(context, number, bytes, count);
}

const memory_events memory_answers = {.done = done,
                                      .fault = fault,
                                      .drained = drained,
                                      .fetched = fetched,
                                      .context_sent = context_sent,
                                      .context_answered = context_answered};
