/* SPDX-License-Identifier: MIT */
/*
 * Shapes in which gcc, left to itself, copies convergent operations: into several arms, in front of a loop, into iterations of
 * their own. Compiled at several levels of optimisation; check_kernel.sh then finds any copy. Nothing here is run.
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

SIMT_KERNEL(vote_as_condition_of_loop, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t value = IN[i];
    while (simt_vote_any(value > 3)) {
        value >>= 1;
        OUT[i] = value;
    }
}

SIMT_KERNEL(vote_as_second_condition_of_loop, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t value = IN[i];
    for (uint32_t step = 0; step < args->n && simt_vote_any(value); step++) {
        value >>= 1;
        OUT[i] = value;
    }
}

SIMT_KERNEL(vote_that_leaves_a_loop, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t value = IN[i];
    for (;;) {
        if (simt_vote_all(value < 4))
            break;
        value >>= 1;
        OUT[i] = value;
    }
}

SIMT_KERNEL(barrier_in_loop_of_two, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    for (uint32_t step = 0; step < 2; step++) {
        simt_scratchpad[i] += step;
        simt_barrier();
    }
    OUT[i] = simt_scratchpad[i];
}

SIMT_KERNEL(nothing_but_a_barrier_in_loop_of_three, const corpus_args *args)
{
    for (uint32_t step = 0; step < 3; step++)
        simt_barrier();
    OUT[simt_thread_x()] = 1;
}

SIMT_KERNEL(shuffle_in_loop_of_two, const corpus_args *args)
{
    uint32_t value = IN[simt_thread_x()];
    for (uint32_t bit = 0; bit < 2; bit++)
        value += simt_shuffle_xor(value, bit);
    OUT[simt_thread_x()] = value;
}

SIMT_KERNEL(shuffle_of_each_element, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t values[3];
    for (uint32_t k = 0; k < 3; k++)
        values[k] = IN[i + k];
    for (uint32_t k = 0; k < 3; k++)
        values[k] = simt_shuffle_up(values[k], 1);
    for (uint32_t k = 0; k < 3; k++)
        OUT[i + k] = values[k];
}

SIMT_KERNEL(barrier_behind_switch_in_loop, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t state = 0;
    for (uint32_t step = 0; step < args->n; step++) {
        switch (state) {
        case 0: state = IN[step] ? 1 : 2; break;
        case 1: state = 2; break;
        default: state = 0; break;
        }
        simt_barrier();
    }
    OUT[i] = state;
}

SIMT_KERNEL(barrier_behind_test_of_first_iteration, const corpus_args *args)
{
    uint32_t i = simt_thread_x();
    uint32_t before = 0;
    for (uint32_t step = 0; step < args->n; step++) {
        if (step > 0)
            OUT[i] += before;
        simt_barrier();
        before = simt_scratchpad[i ^ step];
    }
}

static void exchange(uint32_t i)
{
    simt_scratchpad[i] += 1;
    simt_barrier();
    simt_scratchpad[i ^ 1] += 1;
}

SIMT_KERNEL(barrier_in_helper_called_twice, const corpus_args *args)
{
    exchange(simt_thread_x());
    OUT[0] = 1;
    exchange(simt_thread_y());
}
