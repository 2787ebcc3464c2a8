/* SPDX-License-Identifier: MIT */
/*
 * A transaction is one step: its lanes run it one after the other, and nobody else runs meanwhile. So none conflicts; one that
 * gives up by itself takes back what it has stored, and lets others run before it tries again.
 */
#include "state.h"

#include "bits.h"

#include <stdlib.h>

#define NEVER_ENDS (UINT64_C(1) << 26) /* instructions */

static transaction *of_path(const functional_core *core, uint32_t path)
{
    return &core->transactions[path];
}

uint32_t transaction_is_open(const functional_core *core, uint32_t path)
{
    return of_path(core, path)->nest != 0;
}

/* The lane that runs: the first after the one that ran last. */
static uint64_t next_lane(const transaction *t, uint64_t lanes)
{
    const uint64_t after = lanes & ~((UINT64_C(2) << t->lane) - 1);
    return after ? after & -after : lanes & -lanes;
}

static void checkpoint(functional_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const isa_lanes *lanes = &core->warps[p->warp].lanes;
    transaction *t = of_path(core, path);
    for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++)
        t->registers[number] = lanes->registers[number * lanes->lanes + t->lane];
    t->fcsr = lanes->fcsr[t->lane];
    uint32_t *attempts = &core->attempts[p->warp * core->lane_count + t->lane];
    *attempts += *attempts != UINT32_MAX;
    functional_profile_count(core, p, t->begin_pc, PROFILE_tx_attempts);
    core->undo_count = 0;
    core->transaction = path;
    core->transaction_began = core->counters.warp_instructions;
}

/* Of the lanes that have not committed one runs, the others wait as if they had aborted. */
static void run_one(functional_core *core, uint32_t path)
{
    const reconvergence_unit *unit = core->reconvergence_unit;
    transaction *t = of_path(core, path);
    const uint64_t lanes = core->paths[path].mask;
    const uint64_t one = next_lane(t, lanes);
    t->lane = (uint32_t)__builtin_ctzll(one);
    if (lanes != one)
        unit->tx_abort(core->reconvergence, core->paths[path].warp, lanes & ~one);
    checkpoint(core, path);
}

static void begin(functional_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    transaction *t = of_path(core, path);
    t->nest = 1;
    t->lane = 63;
    t->begin_pc = p->pc;
    for (uint64_t left = p->mask; left; left &= left - 1)
        core->attempts[p->warp * core->lane_count + (uint32_t)__builtin_ctzll(left)] = 0;
    if (core->reconvergence_unit->tx_begin)
        core->reconvergence_unit->tx_begin(core->reconvergence, path, p->mask, p->pc + 4);
    run_one(core, path);
    execute_step(core, path);
}

static void commit(functional_core *core, uint32_t path)
{
    const reconvergence_unit *unit = core->reconvergence_unit;
    struct path *p = &core->paths[path];
    transaction *t = of_path(core, path);
    core->counters.tx_commits++;
    if (core->accesses)
        functional_report_order(core, p, HD_ACCESS_COMMIT, 0);
    functional_profile_count(core, p, t->begin_pc, PROFILE_tx_commits);
    core->transaction = NO_SLOT;
    note_progress(core);
    if (!unit->tx_begin) {
        t->nest = 0;
        execute_step(core, path);
        return;
    }
    unit->tx_done(core->reconvergence, p->warp, p->mask, 0);
    if (unit->tx_aborted(core->reconvergence, p->warp)) {
        unit->tx_restart(core->reconvergence, p->warp, unit->tx_aborted(core->reconvergence, p->warp));
        run_one(core, path);
    } else {
        t->nest = 0;
        unit->tx_leave(core->reconvergence, p->warp, p->pc + 4);
    }
}

static void take_back(functional_core *core, uint32_t path)
{
    const transaction *t = of_path(core, path);
    isa_lanes *lanes = &core->warps[core->paths[path].warp].lanes;
    while (core->undo_count) {
        const undo_byte *undo = &core->undo[--core->undo_count];
        *physical_bytes(core, undo->address) = undo->before;
    }
    for (uint32_t number = 1; number < ISA_REGISTER_COUNT; number++)
        lanes->registers[number * lanes->lanes + t->lane] = t->registers[number];
    lanes->fcsr[t->lane] = t->fcsr;
}

static void give_up(functional_core *core, uint32_t path)
{
    const reconvergence_unit *unit = core->reconvergence_unit;
    struct path *p = &core->paths[path];
    transaction *t = of_path(core, path);
    core->counters.tx_aborts++;
    functional_profile_count(core, p, p->pc, PROFILE_tx_aborts);
    if (core->accesses)
        functional_report_order(core, p, HD_ACCESS_ABORT, 0);
    take_back(core, path);
    core->transaction = NO_SLOT;
    core->left = 0; /* what it waits for may be another's to do */
    t->nest = 1;
    if (!unit->tx_begin) {
        p->pc = t->begin_pc + 4;
        t->suspended = 1;
        return;
    }
    unit->tx_abort(core->reconvergence, p->warp, p->mask);
    unit->tx_restart(core->reconvergence, p->warp, unit->tx_aborted(core->reconvergence, p->warp));
    t->suspended = 1;
}

void transaction_go_on(functional_core *core, uint32_t path)
{
    transaction *t = of_path(core, path);
    if (!t->suspended)
        return;
    t->suspended = 0;
    run_one(core, path);
}

void transaction_execute(functional_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    transaction *t = of_path(core, path);
    if (instruction->operation == ISA_OP_TX_BEGIN && instruction->immediate != 1) {
        functional_fault(core, p, p->mask, HD_DEBUG_FAULT_TRAP, "%s",
                         domain_without_transactions((uint32_t)instruction->immediate));
    } else if (instruction->operation == ISA_OP_TX_BEGIN && !t->nest) {
        begin(core, path);
    } else if (!t->nest) {
        functional_fault(core, p, p->mask, HD_DEBUG_FAULT_TRAP, MISTAKE_NO_TRANSACTION);
    } else if (instruction->operation == ISA_OP_TX_ABORT) {
        give_up(core, path);
    } else if (instruction->operation == ISA_OP_TX_COMMIT && t->nest == 1) {
        commit(core, path);
    } else {
        t->nest += instruction->operation == ISA_OP_TX_BEGIN ? 1u : UINT32_MAX;
        execute_step(core, path);
    }
}

uint32_t transaction_refuses(functional_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    const char *what = forbidden_in_transaction(instruction, p->depth);
    if (!what && core->counters.warp_instructions - core->transaction_began > NEVER_ENDS)
        what = "the transaction does not end; nobody else runs meanwhile";
    if (what)
        functional_fault(core, p, p->mask, HD_DEBUG_FAULT_TRAP, "%s", what);
    return what != NULL;
}

static int by_place(const void *left, const void *right)
{
    const undo_byte *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Of each byte, what it was before the first store to it. */
static void put_together(functional_core *core)
{
    uint32_t kept = 0;
    qsort(core->undo, core->undo_count, sizeof *core->undo, by_place);
    for (uint32_t i = 0; i < core->undo_count; i++)
        if (!kept || core->undo[kept - 1].address != core->undo[i].address) {
            core->undo[kept] = core->undo[i];
            core->undo[kept].number = kept;
            kept++;
        }
    core->undo_count = kept;
}

int transaction_note(functional_core *core, uint64_t address, const uint8_t *at, uint32_t bytes)
{
    const uint32_t is_full = core->undo_count + bytes > UNDO_ROOM;
    if (is_full)
        put_together(core);
    if (is_full && core->undo_count + bytes > UNDO_BYTES) { /* less room is left than it has taken */
        const struct path *p = &core->paths[core->transaction];
        functional_fault(core, p, p->mask, HD_DEBUG_FAULT_TRAP, "the transaction stores more than %u bytes",
                         UNDO_BYTES);
        return -1;
    }
    for (uint32_t i = 0; i < bytes; i++, core->undo_count++)
        core->undo[core->undo_count] = (undo_byte){.address = address + i, .before = at[i], .number = core->undo_count};
    return 0;
}
