/* SPDX-License-Identifier: MIT */
#include "context_patterns.h"

#include "bits.h"
#include "core_lanes.h"

static compressed_register test(const simt_core *core, uint32_t warp, uint32_t number, uint64_t exist)
{
    const isa_lanes *lanes = &core->registers.rows[warp];
    return register_compress(lanes->registers + (size_t)number * lanes->lanes, lanes->lanes, exist);
}

/* Lanes that have not ended. */
static uint64_t existing(const simt_core *core, uint32_t warp)
{
    return core->reconvergence.unit->live_lanes(core->reconvergence.state, warp);
}

/* Lanes that have been launched. */
static uint64_t launched(const simt_core *core, uint32_t warp)
{
    const warp_state *w = &core->warps[warp];
    return launched_lanes(core->blocks[w->block].threads.launched, w->index, core->lane_count);
}

static void test_all(simt_core *core, uint32_t warp, uint64_t registers, uint64_t exist)
{
    for (uint64_t left = registers; left; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        const compressed_register found = test(core, warp, number, exist);
        pattern_cache_write(&core->patterns, warp, number, &found);
        core->counters.context_registers_tested++;
    }
    core->counters.context_pattern_writes = core->patterns.writes;
    core->counters.context_pattern_evictions = core->patterns.evictions;
}

/* Of a warp that has yet to start, patterns_start tells. */
static void written(void *context, lane_homes homes, uint64_t registers, uint64_t lanes)
{
    simt_core *core = context;
    for (uint64_t left = lanes; left;) {
        const home_part part = homes_take(homes, &left);
        if (core->warps[part.row].block != NO_SLOT)
            test_all(core, part.row, registers, existing(core, part.row));
    }
}

static uint64_t mode_of(const simt_core *core)
{
    return core_parameter_of(core, PARAMETER_CONTEXT_COMPRESS);
}

int patterns_create(simt_core *core)
{
    if (mode_of(core) != COMPRESS_WRITE)
        return 0;
    core->registers.listener = (register_listener){.context = core, .written = written};
    return pattern_cache_create(&core->patterns, core_parameter_of(core, PARAMETER_CONTEXT_COMPRESS_CACHE),
                                core->warp_count);
}

void patterns_destroy(simt_core *core)
{
    pattern_cache_destroy(&core->patterns);
}

void patterns_reset(simt_core *core)
{
    if (core->patterns.entries)
        pattern_cache_reset(&core->patterns);
}

void patterns_start(simt_core *core, uint32_t warp)
{
    static const compressed_register none = {.pattern = PATTERN_NONE};
    if (!core->patterns.entries)
        return;
    for (uint32_t number = 1; number < ISA_REGISTER_COUNT; number++)
        pattern_cache_write(&core->patterns, warp, number, &none);
    if (core->live.registers)
        test_all(core, warp, live_registers(core, warp), launched(core, warp));
}

compressed_register patterns_of(const simt_core *core, uint32_t warp, uint32_t number)
{
    const compressed_register none = {.pattern = PATTERN_NONE};
    if (mode_of(core) == COMPRESS_NONE || bits_count(launched(core, warp)) * sizeof(uint32_t) <= PATTERN_BYTES)
        return none;
    if (mode_of(core) == COMPRESS_MOVE)
        return test(core, warp, number, existing(core, warp));
    const compressed_register *found = pattern_cache_find(&core->patterns, warp, number);
    return found ? *found : none;
}
