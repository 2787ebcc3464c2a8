/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* All threads of a block are in the same phase: where they go on together, a block is either bound by memory or by the float units. */
SIMT_KERNEL(phase_toggle, const phase_toggle_args *args)
{
    const uint32_t *chain = HD_POINTER(const uint32_t, args->chain);
    const uint32_t thread = simt_global_index(), block = simt_block_x();
    uint32_t link = thread % args->words;
    float numbers[PHASE_TOGGLE_NUMBERS];
#pragma GCC unroll 4
    for (uint32_t i = 0; i < PHASE_TOGGLE_NUMBERS; i++)
        numbers[i] = (float)(thread + i);
    for (uint32_t phase = 0; phase < args->phases; phase++) {
        if (phase_toggle_is_memory(block, phase, args->skew)) {
            for (uint32_t step = 0; step < args->memory_steps; step++)
                link = chain[link];
        } else {
            for (uint32_t step = 0; step < args->float_steps; step++) {
#pragma GCC unroll 4
                for (uint32_t i = 0; i < PHASE_TOGGLE_NUMBERS; i++)
                    numbers[i] = phase_toggle_step(numbers[i]);
            }
        }
    }
    HD_POINTER(uint32_t, args->links)[thread] = link;
    HD_POINTER(float, args->numbers)[thread] = (numbers[0] + numbers[1]) + (numbers[2] + numbers[3]);
}
