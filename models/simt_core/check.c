/* SPDX-License-Identifier: MIT */
/* Which values of the parameters go together. */
#include "core.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint32_t refuse(hd_conflict *conflict, enum core_parameter parameter, enum core_parameter other)
{
    conflict->parameter = parameter;
    conflict->other = other;
    return 0;
}
#define REFUSE(parameter, other, ...)                                                                                  \
    (snprintf(conflict->text, sizeof conflict->text, __VA_ARGS__), refuse(conflict, parameter, other))

static const struct {
    uint8_t bytes, ways, line;
} caches[] = {
    {PARAMETER_L1_BYTES, PARAMETER_L1_WAYS, PARAMETER_L1_LINE},
    {PARAMETER_CONSTANT_BYTES, PARAMETER_CONSTANT_WAYS, PARAMETER_CONSTANT_LINE},
    {PARAMETER_TEXTURE_BYTES, PARAMETER_TEXTURE_WAYS, PARAMETER_TEXTURE_LINE},
    {PARAMETER_CODE_BYTES, PARAMETER_CODE_WAYS, PARAMETER_CODE_LINE},
};

static uint32_t check_caches(const hd_value *values, hd_conflict *conflict)
{
    static const char *const names[PARAMETER_COUNT] = {
#define CORE_PARAMETER(identifier, name, ...) [PARAMETER_##identifier] = (name),
        CORE_PARAMETERS(CORE_PARAMETER)
#undef CORE_PARAMETER
    };
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        uint64_t line = values[caches[i].line].u, ways = values[caches[i].ways].u;
        if (line != 32 && line != 64 && line != HD_LINE_BYTES)
            return REFUSE(caches[i].line, caches[i].line, "%s must be 32 B, 64 B or 128 B", names[caches[i].line]);
        if (values[caches[i].bytes].u % (ways * line))
            return REFUSE(caches[i].bytes, caches[i].ways,
                          "%s must be a multiple of %s lines of %" PRIu64 " B, which is %" PRIu64 " B",
                          names[caches[i].bytes], names[caches[i].ways], line, ways * line);
    }
    return 1;
}

static uint32_t check_sectors(const hd_value *values, hd_conflict *conflict)
{
    const uint64_t sector = values[PARAMETER_L1_SECTOR].u;
    if (sector != 0 && sector != 32 && sector != 64 && sector != HD_LINE_BYTES)
        return REFUSE(PARAMETER_L1_SECTOR, PARAMETER_L1_SECTOR, "l1.sector must be 0 B, 32 B, 64 B or 128 B");
    if (sector > values[PARAMETER_L1_LINE].u)
        return REFUSE(PARAMETER_L1_SECTOR, PARAMETER_L1_LINE, "l1.sector must not exceed l1.line");
    return 1;
}

static uint32_t check_writes(const hd_value *values, hd_conflict *conflict)
{
    if (values[PARAMETER_L1_WRITE].u == L1_WRITE_EVICT && values[PARAMETER_L1_WRITE_ALLOCATE].u != L1_ALLOCATE_NO)
        return REFUSE(PARAMETER_L1_WRITE_ALLOCATE, PARAMETER_L1_WRITE,
                      "l1.write_allocate 'validate' needs stores that update lines: l1.write must be through");
    if (values[PARAMETER_L1_WRITE].u != L1_WRITE_EVICT && values[PARAMETER_L1_LINE].u != HD_LINE_BYTES)
        return REFUSE(PARAMETER_L1_WRITE, PARAMETER_L1_LINE, "l1.write 'through' is defined for lines of 128 B");
    return 1;
}

static uint32_t check_set_hash(const hd_value *values, hd_conflict *conflict)
{
    const uint64_t hash = values[PARAMETER_L1_SET_HASH].u, line = values[PARAMETER_L1_LINE].u;
    const uint64_t sets = values[PARAMETER_L1_BYTES].u / (values[PARAMETER_L1_WAYS].u * line);
    const char *refusal = cache_sets_refuse((uint32_t)hash, sets, (uint32_t)line);
    if (refusal)
        return REFUSE(PARAMETER_L1_SET_HASH, PARAMETER_L1_BYTES, "l1.set_hash: %s, not %" PRIu64 " of %" PRIu64 " B",
                      refusal, sets, line);
    return 1;
}

static uint32_t check_registers(const hd_value *values, hd_conflict *conflict)
{
    const uint64_t banks = values[PARAMETER_REGISTER_BANKS].u, window = values[PARAMETER_REGISTER_WINDOW].u;
    const uint64_t collectors = values[PARAMETER_REGISTER_COLLECTORS].u,
                   width = values[PARAMETER_REGISTER_BANK_WIDTH].u;
    const uint64_t cycles = (OPERANDS_MAX + width - 1) / width * values[PARAMETER_REGISTER_BANK_INTERVAL].u;
    if (!banks && (collectors || window))
        return REFUSE(PARAMETER_REGISTER_BANKS, collectors ? PARAMETER_REGISTER_COLLECTORS : PARAMETER_REGISTER_WINDOW,
                      "registers.banks is 0: there is nothing to wait for");
    if (banks && !collectors == !window)
        return REFUSE(PARAMETER_REGISTER_BANKS, collectors ? PARAMETER_REGISTER_COLLECTORS : PARAMETER_REGISTER_BANKS,
                      "registers.banks needs either registers.collectors or registers.read_window");
    if (window && window < cycles)
        return REFUSE(PARAMETER_REGISTER_WINDOW, PARAMETER_REGISTER_BANKS,
                      "registers.read_window must hold the reads of %u operands by one bank, which are %" PRIu64
                      " cycles",
                      OPERANDS_MAX, cycles);
    return 1;
}

static uint32_t check_contexts(const hd_value *values, hd_conflict *conflict)
{
    if (!values[PARAMETER_CONTEXT_ENGINE].u && values[PARAMETER_CONTEXT_STORAGE].u)
        return REFUSE(PARAMETER_CONTEXT_STORAGE, PARAMETER_CONTEXT_ENGINE,
                      "context.storage is of thread blocks that leave: context.engine must be 'stream'");
    if (!values[PARAMETER_CONTEXT_ENGINE].u && values[PARAMETER_CONTEXT_DEAD].u)
        return REFUSE(PARAMETER_CONTEXT_DEAD, PARAMETER_CONTEXT_ENGINE,
                      "context.dead is of thread blocks that leave: context.engine must be 'stream'");
    if (!values[PARAMETER_CONTEXT_ENGINE].u && values[PARAMETER_CONTEXT_COMPRESS].u)
        return REFUSE(PARAMETER_CONTEXT_COMPRESS, PARAMETER_CONTEXT_ENGINE,
                      "context.compress is of thread blocks that leave: context.engine must be 'stream'");
    if (!values[PARAMETER_CONTEXT_ENGINE].u && values[PARAMETER_CONTEXT_SCRATCHPAD].u)
        return REFUSE(PARAMETER_CONTEXT_SCRATCHPAD, PARAMETER_CONTEXT_ENGINE,
                      "context.scratchpad is of thread blocks that leave: context.engine must be 'stream'");
    if (!values[PARAMETER_CONTEXT_STORAGE].u && values[PARAMETER_CONTEXT_CACHEABLE].u)
        return REFUSE(PARAMETER_CONTEXT_CACHEABLE, PARAMETER_CONTEXT_STORAGE,
                      "context.cacheable is of requests to memory: context.storage must be 'memory'");
    if (values[PARAMETER_CONTEXT_CACHEABLE].u == MEMORY_CONTEXT_IN_L1 &&
        (values[PARAMETER_L1_LINE].u != HD_LINE_BYTES || values[PARAMETER_L1_SECTOR].u ||
         values[PARAMETER_L1_ALLOCATE].u != L1_ON_MISS || values[PARAMETER_L1_WRITE].u != L1_WRITE_EVICT))
        return REFUSE(
            PARAMETER_CONTEXT_CACHEABLE, PARAMETER_L1_LINE,
            "context.cacheable 'l1l2' is defined for an L1 of whole lines of 128 B: l1.sector 0 B, l1.allocate "
            "'on_miss', l1.write 'evict'");
    return 1;
}

uint32_t core_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    uint64_t sector = values[PARAMETER_SECTOR_BYTES].u;
    uint64_t banks = values[PARAMETER_SCRATCHPAD_BANKS].u;
    uint64_t schedulers = values[PARAMETER_SCHEDULERS].u, warps = values[PARAMETER_WARPS].u;
    (void)clock;
    if (sector != 32 && sector != 64 && sector != HD_LINE_BYTES)
        return REFUSE(PARAMETER_SECTOR_BYTES, PARAMETER_SECTOR_BYTES, "memory.sector must be 32 B, 64 B or 128 B");
    if (banks & (banks - 1))
        return REFUSE(PARAMETER_SCRATCHPAD_BANKS, PARAMETER_SCRATCHPAD_BANKS,
                      "scratchpad.banks must be a power of two");
    if (values[PARAMETER_SCRATCHPAD_BYTES].u % 4)
        return REFUSE(PARAMETER_SCRATCHPAD_BYTES, PARAMETER_SCRATCHPAD_BYTES,
                      "scratchpad.bytes must be a multiple of 4 B");
    if (schedulers > warps)
        return REFUSE(PARAMETER_SCHEDULERS, PARAMETER_WARPS, "schedulers (%" PRIu64 ") exceed warps (%" PRIu64 ")",
                      schedulers, warps);
    return check_caches(values, conflict) && check_set_hash(values, conflict) && check_sectors(values, conflict) &&
           check_writes(values, conflict) && check_registers(values, conflict) && check_contexts(values, conflict);
}
