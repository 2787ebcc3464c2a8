/* SPDX-License-Identifier: MIT */
/* Where physical memory is: the ranges that the platform has shown, in a table of their numbers. */
#include "state.h"

void ranges_forget(functional_core *core)
{
    core->range_shift = 0;
    for (uint32_t i = 0; i < RANGES; i++)
        core->ranges[i].number = UINT64_MAX;
}

/* Numbers are those of the shortest range seen: a longer one is so many short ones. */
static void learn_length(functional_core *core, uint32_t length)
{
    const uint32_t shift = (uint32_t)__builtin_ctz(length);
    if (core->range_shift && core->range_shift <= shift)
        return;
    ranges_forget(core);
    core->range_shift = shift;
}

uint8_t *ranges_find(functional_core *core, uint64_t address)
{
    hd_direct_range range;
    if (!core->direct->range(core->direct->context, address, &range))
        return NULL;
    learn_length(core, range.length);
    const uint64_t number = address >> core->range_shift;
    const uint64_t offset = (number << core->range_shift) - range.address;
    core->ranges[number % RANGES] = (known_range){.number = number, .bytes = range.bytes + offset};
    return range.bytes + (address - range.address);
}
