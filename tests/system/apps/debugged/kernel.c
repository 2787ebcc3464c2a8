/* SPDX-License-Identifier: MIT */
/* Odd lanes go round a loop, each as often as its number says; even ones do not. */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(debugged, const debugged_args *args)
{
    uint32_t i = simt_global_index();
    uint32_t value = HD_POINTER(const uint32_t, args->in)[i];
    volatile uint32_t kept[2] = {i, value}; /* on the stack */
    simt_scratchpad[simt_lane()] = 100 + kept[0];
    if (i % 2) {
        uint32_t rounds = value + 1;
        for (uint32_t round = 0; round < rounds; round++)
            value = value * 3 + round;
    } else {
        value = value * 5;
    }
    HD_POINTER(uint32_t, args->out)[i] = value;
}
