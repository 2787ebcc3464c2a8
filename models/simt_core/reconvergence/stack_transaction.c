/* SPDX-License-Identifier: MIT */
/*
 * Transactions on the SIMT stack: ENTRY_RETRY collects lanes that have aborted or have yet to begin, ENTRY_TRANSACTION above it has those of the
 * attempt. Partings within the transaction are ordinary entries above. Source: Fung 2015 §4.2.1. Lanes that pause have such entries
 * below those that go on.
 */
#include "stack_state.h"

#include <assert.h>

static stack_entry *attempt_of(const warp_stack *ws)
{
    return &ws->entries[ws->transaction];
}

static stack_entry *retry_of(const warp_stack *ws)
{
    return &ws->entries[ws->retry];
}

static warp_stack *warp_of(const reconvergence *unit, uint32_t warp)
{
    return &((const stack *)unit)->warps[warp];
}

void stack_tx_begin(reconvergence *unit, uint32_t path, uint64_t lanes, uint32_t restart_pc)
{
    stack *s = (stack *)unit;
    warp_stack *ws = warp_of(unit, path);
    assert(!ws->transaction && ws->size + 2 <= s->capacity);
    stack_save_pc(s, path);
    const stack_entry *top = &ws->entries[ws->size - 1];
    stack_entry entry = {.pc = restart_pc, .depth = top->depth, .stop_pc = NO_STOP, .type = ENTRY_RETRY};
    assert(lanes && !(lanes & ~top->mask));
    entry.mask = top->mask & ~lanes;
    ws->retry = ws->size;
    ws->entries[ws->size++] = entry;
    entry.type = ENTRY_TRANSACTION;
    entry.mask = lanes;
    ws->transaction = ws->size;
    ws->entries[ws->size++] = entry;
    if (ws->size > s->maximum_depth)
        s->maximum_depth = ws->size;
    s->paths[path].mask = lanes;
    s->paths[path].stop_pc = NO_STOP;
    s->paths[path].stop_depth = 0;
}

uint64_t stack_tx_running(const reconvergence *unit, uint32_t warp)
{
    const warp_stack *ws = warp_of(unit, warp);
    return ws->transaction ? attempt_of(ws)->mask : 0;
}

uint64_t stack_tx_aborted(const reconvergence *unit, uint32_t warp)
{
    const warp_stack *ws = warp_of(unit, warp);
    return ws->transaction ? retry_of(ws)->mask : 0;
}

uint32_t stack_tx_together(const reconvergence *unit, uint32_t warp)
{
    const warp_stack *ws = warp_of(unit, warp);
    return ws->transaction && ws->transaction == ws->size - 1;
}

void stack_tx_abort(reconvergence *unit, uint32_t warp, uint64_t lanes)
{
    stack *s = (stack *)unit;
    warp_stack *ws = warp_of(unit, warp);
    assert(ws->transaction && !(lanes & ~attempt_of(ws)->mask));
    for (uint32_t e = ws->transaction; e < ws->size; e++)
        ws->entries[e].mask &= ~lanes;
    retry_of(ws)->mask |= lanes;
    if (!attempt_of(ws)->mask) { /* whole warp: nothing above has anything left to run */
        stack_save_pc(s, warp);
        ws->size = ws->transaction + 1;
        stack_publish_top(s, warp);
    } else if (ws->entries[ws->size - 1].mask) {
        s->paths[warp].mask = ws->entries[ws->size - 1].mask;
    } else {
        stack_reveal(s, warp);
    }
}

void stack_tx_done(reconvergence *unit, uint32_t warp, uint64_t committed, uint64_t failed)
{
    stack *s = (stack *)unit;
    warp_stack *ws = warp_of(unit, warp);
    assert(stack_tx_together(unit, warp));
    assert(!(committed & failed) && !((committed | failed) & ~attempt_of(ws)->mask));
    retry_of(ws)->mask |= failed;
    attempt_of(ws)->mask &= ~(committed | failed);
    s->paths[warp].mask = attempt_of(ws)->mask;
}

void stack_tx_restart(reconvergence *unit, uint32_t warp, uint64_t lanes)
{
    stack *s = (stack *)unit;
    warp_stack *ws = warp_of(unit, warp);
    stack_entry *attempt = attempt_of(ws), *retry = retry_of(ws);
    assert(stack_tx_together(unit, warp) && ws->transaction == ws->retry + 1);
    assert(!attempt->mask && lanes && !(lanes & ~retry->mask));
    attempt->mask = lanes;
    attempt->pc = retry->pc;
    attempt->depth = retry->depth;
    retry->mask &= ~lanes;
    stack_publish_top(s, warp);
    s->events.changed(s->events.context, warp);
}

void stack_tx_leave(reconvergence *unit, uint32_t warp, uint32_t pc)
{
    stack *s = (stack *)unit;
    warp_stack *ws = warp_of(unit, warp);
    assert(stack_tx_together(unit, warp) && !attempt_of(ws)->mask && !retry_of(ws)->mask);
    assert(ws->transaction == ws->retry + 1);
    ws->size -= 2;
    ws->transaction = 0;
    ws->entries[ws->size - 1].pc = pc;
    stack_reveal(s, warp);
}

static void push_transaction(stack *s, uint32_t warp, uint64_t going)
{
    warp_stack *ws = &s->warps[warp];
    const stack_entry *top = &ws->entries[ws->size - 1];
    stack_entry entry = {.pc = top->pc, .depth = top->depth, .stop_pc = NO_STOP, .type = ENTRY_PAUSE};
    assert(ws->size + 2 <= s->capacity);
    entry.paused = ws->transaction;
    ws->entries[ws->size++] = entry;
    entry.type = ENTRY_TRANSACTION;
    entry.mask = going;
    entry.paused = 0;
    ws->transaction = ws->size;
    ws->entries[ws->size++] = entry;
    if (ws->size > s->maximum_depth)
        s->maximum_depth = ws->size;
}

void stack_tx_pause(reconvergence *unit, uint32_t warp, uint64_t going)
{
    stack *s = (stack *)unit;
    warp_stack *ws = warp_of(unit, warp);
    assert(ws->transaction && going && !(going & ~s->paths[warp].mask) && going != attempt_of(ws)->mask);
    stack_save_pc(s, warp);
    for (uint32_t e = ws->transaction; e < ws->size; e++)
        ws->entries[e].mask &= ~going;
    push_transaction(s, warp, going);
    stack_publish_top(s, warp);
}

uint64_t stack_tx_paused(const reconvergence *unit, uint32_t warp)
{
    const warp_stack *ws = warp_of(unit, warp);
    uint64_t lanes = 0;
    for (uint32_t e = ws->transaction; e > ws->retry + 1;) {
        e = ws->entries[e - 1].paused; /* below each ENTRY_TRANSACTION but the first is an ENTRY_PAUSE */
        lanes |= ws->entries[e].mask;
    }
    return lanes;
}

void stack_tx_resume(reconvergence *unit, uint32_t warp)
{
    stack *s = (stack *)unit;
    warp_stack *ws = warp_of(unit, warp);
    assert(stack_tx_together(unit, warp) && ws->transaction > ws->retry + 1 && !attempt_of(ws)->mask);
    ws->transaction = ws->entries[ws->transaction - 1].paused;
    ws->size -= 2;
    stack_reveal(s, warp);
}
