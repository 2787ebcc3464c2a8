/* SPDX-License-Identifier: MIT */
/*
 * Blocks that have come from memory and find no room, because others are there or what is free of the scratchpad is in pieces. They
 * step aside, so that others come and leave: those that leave are what makes room. They are tried again when one has left, and now
 * and then; what they are told in the meantime is kept, so that messages to others get past.
 */
#include "core_lanes.h"

#include <stdlib.h>

/* A block for which there is no room, or none in one piece of the scratchpad, tries again. */
#define RETRY_CYCLES 64u

int context_waiting_create(simt_core *core)
{
    context_engine *engine = &core->engine;
    engine->aside_limit = core->block_count;
    engine->aside = calloc(engine->aside_limit, sizeof *engine->aside);
    const uint32_t reads = core_parameter_of(core, PARAMETER_CONTEXT_SCRATCHPAD) != SCRATCHPAD_WHOLE;
    int failed = engine->aside ? 0 : -1;
    for (uint32_t i = 0; reads && !failed && i < engine->aside_limit; i++)
        failed = arrays_create(&engine->aside[i].arrays);
    return failed;
}

void context_waiting_destroy(simt_core *core)
{
    for (uint32_t i = 0; core->engine.aside && i < core->engine.aside_limit; i++) {
        free(core->engine.aside[i].bytes);
        arrays_destroy(&core->engine.aside[i].arrays);
    }
    free(core->engine.aside);
}

static void swap_contents(simt_core *core, aside_block *aside)
{
    context_engine *engine = &core->engine;
    const array_reads arrays = core->arrays;
    core->arrays = aside->arrays;
    aside->arrays = arrays;
    uint8_t *const bytes = engine->bytes;
    const uint64_t capacity = engine->capacity;
    engine->bytes = aside->bytes;
    engine->capacity = aside->capacity;
    aside->bytes = bytes;
    aside->capacity = capacity;
}

/* The block of the engine becomes the last of those that wait. */
static void step_aside(simt_core *core)
{
    context_engine *engine = &core->engine;
    aside_block *aside = &engine->aside[engine->aside_count++];
    aside->tag = engine->tag;
    aside->size = engine->size;
    aside->begun = engine->begun;
    aside->asked_at = engine->asked_at;
    aside->told = engine->told;
    engine->told = (told_block){0};
    swap_contents(core, aside);
    arrays_begin(core);
    engine->state = ENGINE_IDLE;
}

/* The first of those that wait becomes the engine's. */
static void step_back(simt_core *core)
{
    context_engine *engine = &core->engine;
    const aside_block first = engine->aside[0];
    engine->aside_count--;
    for (uint32_t i = 0; i < engine->aside_count; i++)
        engine->aside[i] = engine->aside[i + 1];
    aside_block *left = &engine->aside[engine->aside_count];
    *left = first;
    engine->state = ENGINE_ARRIVING;
    engine->tag = first.tag;
    engine->size = first.size;
    engine->begun = first.begun;
    engine->asked_at = first.asked_at;
    engine->asked = engine->size.memory_bytes;
    engine->passed = context_link_bytes(engine);
    engine->told = first.told;
    engine->uses_memory = engine->size.memory_bytes != 0;
    engine->is_ideal = !engine->uses_memory;
    engine->announces = 0; /* the scheduler knows */
    swap_contents(core, left);
}

void context_wait_for_room(simt_core *core)
{
    context_engine *engine = &core->engine;
    if (engine->retry <= core->now.n)
        engine->retry = core->now.n + RETRY_CYCLES;
    step_aside(core);
    engine->holds = 0; /* another may come */
    const uint64_t next = engine->chosen ? core->now.n + 1 : engine->retry;
    engine->next = next < engine->next ? next : engine->next;
}

/* Each of them once; one that goes back to where it came from keeps the engine. */
void context_try_waiting(simt_core *core)
{
    context_engine *engine = &core->engine;
    if (core->now.n < engine->retry) {
        engine->next = engine->retry;
        return;
    }
    for (uint32_t left = engine->aside_count; left && engine->state == ENGINE_IDLE; left--) {
        step_back(core);
        context_let_in(core);
    }
}

told_block *context_waits_for_room(const context_engine *engine, uint64_t tag)
{
    for (uint32_t i = 0; i < engine->aside_count; i++)
        if (engine->aside[i].tag == tag)
            return &engine->aside[i].told;
    return NULL;
}

void context_do_as_told(simt_core *core, uint32_t slot)
{
    context_engine *engine = &core->engine;
    if (engine->told.watch.period)
        levels_begin(core, slot, &engine->told.watch);
    if (engine->told.stop) {
        engine->chosen |= UINT64_C(1) << slot;
        engine->stops[slot] = engine->told.order;
        engine->stops[slot].edge = core->now.n;
        context_stop_or_wait(core, slot);
    }
    engine->told = (told_block){0};
}
