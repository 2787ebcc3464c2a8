/* SPDX-License-Identifier: MIT */
#include "core_cost.h"

#include "core_rig.h"

#include <criterion/criterion.h>

#define WORDS 2048u

uint64_t core_cost_of(const char *const *parameters, const uint32_t *words, uint32_t count, uint32_t more,
                      uint32_t threads)
{
    static uint32_t program[WORDS];
    uint64_t cycles[2];
    cr_assert_lt((more / 2 + more) * count + 1, WORDS);
    for (uint32_t run = 0; run < 2; run++) {
        const uint32_t length = (more / 2 + run * more) * count;
        for (uint32_t i = 0; i < length; i++)
            program[i] = words[i % count];
        program[length] = ret();
        program[length + 1] = 0;
        cycles[run] = rig_cycles(parameters, program, threads);
    }
    return cycles[1] - cycles[0];
}

uint64_t core_cost(const char *const *parameters, uint32_t word, uint32_t more, uint32_t threads)
{
    return core_cost_of(parameters, &word, 1, more, threads);
}
