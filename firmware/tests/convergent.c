/* SPDX-License-Identifier: MIT */
/*
 * Shapes in which gcc, left to itself, copies convergent operations into several arms. Compiled at several levels of
 * optimisation; check_kernel.sh then finds any copy. Nothing here is run.
 */
#include "simt.h"

typedef struct corpus_args {
    hd_device_ptr in;
    hd_device_ptr out;
    uint32_t n;
} corpus_args;

#define IN HD_POINTER(const uint32_t, args->in)
#define OUT HD_POINTER(uint32_t, args->out)

SIMT_KERNEL(barrier_behind_if, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    if (IN[i] > args->n)
        simt_scratchpad[i] = 1;
    else
        simt_scratchpad[i] = IN[i];
    simt_barrier();
    OUT[i] = simt_scratchpad[i ^ 1];
}

SIMT_KERNEL(vote_between_equal_conditions, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t value = IN[i];
    if (args->n & 1)
        value += 3;
    uint32_t any = simt_vote_any(value > 7);
    if (args->n & 1)
        value += any;
    OUT[i] = value;
}

SIMT_KERNEL(vote_behind_early_value, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t flag = 0;
    if (IN[i] == 0)
        flag = 1;
    uint32_t all = simt_vote_all(flag);
    if (flag)
        OUT[i] = all;
    else
        OUT[i] = all + i;
}

SIMT_KERNEL(barrier_in_loop_with_invariant_test, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t wide = args->n > 64;
    for (uint32_t step = 0; step < args->n; step++) {
        if (wide)
            simt_scratchpad[i] += step;
        else
            simt_scratchpad[i] ^= IN[step];
        simt_barrier();
        OUT[i] = simt_scratchpad[i ^ step];
        simt_barrier();
    }
}

SIMT_KERNEL(shuffle_in_short_loop, const corpus_args *args)
{
    uint32_t value = IN[simt_thread_x()];
    for (uint32_t distance = 16; distance > 0; distance >>= 1)
        value += simt_shuffle_xor(value, distance);
    OUT[simt_thread_x()] = value;
}

SIMT_KERNEL(warp_sync_at_loop_exit, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t value = IN[i];
    while (value > 1) {
        if (value & 1)
            value = 3 * value + 1;
        else
            value >>= 1;
        if (value == args->n)
            break;
    }
    simt_warp_sync();
    OUT[i] = simt_ballot_low(value == 1);
}

SIMT_KERNEL(barrier_behind_switch, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t value;
    switch (IN[i]) {
    case 0: value = 5; break;
    case 1: value = i; break;
    case 2: value = i * 7; break;
    case 3: value = ~i; break;
    case 4: value = i << 3; break;
    default: value = 1; break;
    }
    simt_scratchpad[i] = value;
    simt_barrier();
    OUT[i] = simt_scratchpad[i ^ 1];
}
