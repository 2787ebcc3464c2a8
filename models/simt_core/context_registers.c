/* SPDX-License-Identifier: MIT */
/*
 * Registers of a block that moves: those that stay behind, those that are a pattern, and how many bytes they all are on the modelled
 * machine. That has registers_per_thread registers; if more than these are needed, patterns are those that it does not have.
 */
#include "bits.h"
#include "core_lanes.h"
#include "live_registers.h"

#include <string.h>

/* What is left in a register that has stayed behind: nothing that a program could mean. */
#define LEFT_BEHIND UINT32_C(0xDEAD0000)

static uint32_t leaves_some(const simt_core *core)
{
    return core->live.registers != NULL;
}

static uint32_t compresses(const simt_core *core)
{
    return core_parameter_of(core, PARAMETER_CONTEXT_COMPRESS) != COMPRESS_NONE;
}

static void spoil(simt_core *core, uint32_t warp)
{
    const isa_lanes *lanes = &core->registers.rows[warp];
    for (uint32_t number = 1; number < ISA_REGISTER_COUNT; number++)
        for (uint32_t lane = 0; lane < lanes->lanes; lane++)
            lanes->registers[number * lanes->lanes + lane] = LEFT_BEHIND | number << 8 | lane;
}

/* As a pattern, or whole; what is no pattern of ours makes the stream too short. */
static void stream_register(simt_core *core, uint32_t warp, uint32_t number, compressed_register *value,
                            byte_stream *stream)
{
    const isa_lanes *lanes = &core->registers.rows[warp];
    uint32_t *values = lanes->registers + (size_t)number * lanes->lanes;
    stream->too_short |= value->pattern >= PATTERN_COUNT;
    if (value->pattern == PATTERN_NONE || value->pattern >= PATTERN_COUNT) {
        for (uint32_t lane = 0; lane < lanes->lanes; lane++)
            byte_stream_u32(stream, &values[lane]);
        return;
    }
    byte_stream_u32(stream, &value->base[0]);
    byte_stream_u32(stream, &value->base[1]);
    if (stream->from)
        register_expand(value, values, lanes->lanes);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Of a warp that has come, those that the modelled machine has. */
static void count_expanded(simt_core *core, const uint8_t codes[ISA_REGISTER_COUNT], uint64_t registers)
{
    const uint64_t all = core_parameter_of(core, PARAMETER_REGISTERS_PER_THREAD);
    uint64_t whole = 0, patterns = 0;
    for (uint64_t left = registers; left; left &= left - 1) {
        const uint32_t is_pattern = codes[__builtin_ctzll(left)] != PATTERN_NONE;
        patterns += is_pattern;
        whole += !is_pattern;
    }
    core->counters.context_registers_expanded += smaller(patterns, all - smaller(whole, all));
}

/* All codes come first: who reads knows from them what follows. */
static void stream_patterns(simt_core *core, uint32_t warp, uint64_t registers, byte_stream *stream)
{
    compressed_register values[ISA_REGISTER_COUNT] = {{.pattern = PATTERN_NONE}};
    uint8_t codes[ISA_REGISTER_COUNT] = {0};
    for (uint64_t left = stream->from ? 0 : registers; left; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        values[number] = patterns_of(core, warp, number);
        codes[number] = (uint8_t)values[number].pattern;
    }
    byte_stream_bytes(stream, codes, sizeof codes);
    if (stream->from)
        count_expanded(core, codes, registers);
    for (uint64_t left = registers; left; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        values[number].pattern = codes[number];
        stream_register(core, warp, number, &values[number], stream);
    }
    registers_stream(&core->registers, warp, 0, stream);
    if (stream->from)
        registers_scatter(&core->registers, homes_of_row(warp), registers,
                          launched_lanes(UINT32_MAX, 0, core->lane_count));
}

void context_stream_registers(simt_core *core, uint32_t warp, byte_stream *stream)
{
    uint64_t live = live_registers(core, warp);
    if (leaves_some(core)) {
        byte_stream_u64(stream, &live);
        live &= ISA_ALL_REGISTERS;
    }
    if (leaves_some(core) && stream->from) {
        core->live.registers[warp] = live;
        spoil(core, warp);
    }
    if (compresses(core))
        stream_patterns(core, warp, live, stream);
    else
        registers_stream(&core->registers, warp, live, stream);
}

/* Of a warp. */
static void add_registers(const simt_core *core, uint32_t warp, context_registers *found)
{
    const uint64_t all = core_parameter_of(core, PARAMETER_REGISTERS_PER_THREAD);
    const uint32_t threads = core->blocks[core->warps[warp].block].threads.launched;
    const uint64_t lanes = bits_count(launched_lanes(threads, core->warps[warp].index, core->lane_count));
    const uint64_t live = live_registers(core, warp);
    uint64_t of[PATTERN_COUNT] = {0}, left = all;
    for (uint64_t rest = live; rest; rest &= rest - 1)
        of[patterns_of(core, warp, (uint32_t)__builtin_ctzll(rest)).pattern]++;
    for (uint32_t pattern = 0; pattern < PATTERN_COUNT; pattern++) {
        const uint64_t moved = smaller(of[pattern], left);
        found->patterns[pattern] += moved;
        found->bytes += moved * (pattern == PATTERN_NONE ? lanes * sizeof(uint32_t) : PATTERN_BYTES);
        left -= moved;
    }
    found->dead += left;
    found->whole_bytes += all * lanes * sizeof(uint32_t);
    found->mark_bytes += (all * (leaves_some(core) + compresses(core) * (1 + PATTERN_BITS)) + 7) / 8;
}

context_registers context_registers_of(const simt_core *core, uint32_t slot)
{
    context_registers found = {.bytes = 0};
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1))
        add_registers(core, warp, &found);
    if (!leaves_some(core) && !compresses(core))
        found.bytes = found.whole_bytes; /* of any number of registers */
    return found;
}

void context_count_spared(simt_core *core, uint32_t slot)
{
    const context_registers found = context_registers_of(core, slot);
    core->counters.context_dead_registers += found.dead;
    words_count_spared(core, slot);
    core->counters.context_bytes_spared += found.whole_bytes - found.bytes;
    uint64_t patterns = 0;
    for (uint32_t pattern = PATTERN_CONSTANT; pattern < PATTERN_COUNT; pattern++) {
        core->counters.context_patterns[pattern - PATTERN_CONSTANT] += found.patterns[pattern];
        patterns += found.patterns[pattern];
    }
    if (core_parameter_of(core, PARAMETER_CONTEXT_COMPRESS) == COMPRESS_MOVE)
        core->counters.context_registers_tested += patterns + found.patterns[PATTERN_NONE];
    else
        core->counters.context_pattern_reads += patterns;
}
