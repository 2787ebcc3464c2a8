/* SPDX-License-Identifier: MIT */
/*
 * A block that has come from memory and finds no room, because others are there or what is free of the scratchpad is in pieces. It is
 * tried again now and then. If others have stopped meanwhile it steps aside, so that they leave first: they are what makes room.
 * What it is told in the meantime is kept, so that messages to others get past.
 */
#include "core_lanes.h"

/* A block for which there is no room, or none in one piece of the scratchpad, tries again. */
#define RETRY_CYCLES 64u

static uint32_t others_have_stopped(const simt_core *core)
{
    uint32_t found = 0;
    for (uint64_t left = core->engine.chosen; left; left &= left - 1)
        found |= core->blocks[__builtin_ctzll(left)].stage == STAGE_STOPPED;
    return found;
}

static void swap_bytes(context_engine *engine)
{
    uint8_t *const bytes = engine->bytes;
    const uint64_t capacity = engine->capacity;
    engine->bytes = engine->aside.bytes;
    engine->capacity = engine->aside.capacity;
    engine->aside.bytes = bytes;
    engine->aside.capacity = capacity;
}

static void step_aside(context_engine *engine)
{
    engine->aside.is_there = 1;
    engine->aside.tag = engine->tag;
    engine->aside.size = engine->size;
    engine->aside.begun = engine->begun;
    engine->aside.asked_at = engine->asked_at;
    swap_bytes(engine);
    engine->state = ENGINE_IDLE;
}

void context_wait_for_room(simt_core *core)
{
    context_engine *engine = &core->engine;
    engine->retry = engine->next = core->now.n + RETRY_CYCLES;
    if (others_have_stopped(core)) {
        step_aside(engine);
        engine->next = core->now.n + 1;
    }
}

void context_step_back(simt_core *core)
{
    context_engine *engine = &core->engine;
    engine->aside.is_there = 0;
    engine->state = ENGINE_ARRIVING;
    engine->tag = engine->aside.tag;
    engine->size = engine->aside.size;
    engine->begun = engine->aside.begun;
    engine->asked_at = engine->aside.asked_at;
    engine->asked = hd_context_bytes(&engine->size);
    engine->passed = context_link_bytes(engine);
    engine->retry = core->now.n;
    swap_bytes(engine);
}

uint32_t context_waits_for_room(const context_engine *engine, uint64_t tag)
{
    if (engine->aside.is_there)
        return engine->aside.tag == tag;
    return engine->uses_memory && engine->state == ENGINE_ARRIVING && engine->tag == tag && engine->retry;
}

void context_do_as_told(simt_core *core, uint32_t slot)
{
    context_engine *engine = &core->engine;
    if (engine->told.watch.period)
        levels_begin(core, slot, &engine->told.watch);
    if (engine->told.stop) {
        engine->chosen |= UINT64_C(1) << slot;
        engine->stops[slot] = core->now.n;
        context_stop_or_wait(core, slot);
    }
    engine->told = (told_block){0};
}
