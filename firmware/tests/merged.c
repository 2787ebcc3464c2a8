/* SPDX-License-Identifier: MIT */
/*
 * Shapes in which gcc, left to itself, merges instructions at the ends of two arms, or copies them. Each use in the source is to
 * be one instruction. Nothing here is run.
 */
#include "simt.h"
#include "tm.h"

typedef struct corpus_args {
    hd_device_ptr in;
    hd_device_ptr out;
    uint32_t n;
} corpus_args;

#define IN HD_POINTER(const uint32_t, args->in)
#define OUT HD_POINTER(uint32_t, args->out)

SIMT_KERNEL(commits_of_two_arms, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    if (IN[i] & 1) {
        tm_begin();
        OUT[i] += 1;
        tm_commit();
    } else {
        tm_begin();
        OUT[i + 1] += 2;
        OUT[i + 3] = 2;
        tm_commit();
    }
}

SIMT_KERNEL(commits_before_the_same, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    if (IN[i] & 1) {
        tm_begin();
        OUT[i] += 1;
        tm_commit();
        OUT[7] = i;
    } else {
        tm_begin();
        OUT[i + 1] -= 2;
        tm_commit();
        OUT[7] = i;
    }
}

SIMT_KERNEL(transactions_that_are_alike, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    if (IN[i] & 1) {
        OUT[5] = 3;
        tm_begin();
        OUT[i] += 1;
        tm_commit();
    } else {
        tm_begin();
        OUT[i] += 1;
        tm_commit();
    }
}

SIMT_KERNEL(commits_of_a_switch, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    switch (IN[i]) {
    case 0:
        tm_begin();
        OUT[i] += 1;
        tm_commit();
        break;
    case 1:
        tm_begin();
        OUT[i] += 2;
        tm_commit();
        break;
    default:
        tm_begin();
        OUT[i] ^= 2;
        tm_commit();
        break;
    }
}

SIMT_KERNEL(commits_at_the_end_of_an_iteration, const corpus_args *args)
{
    for (uint32_t k = simt_global_index(); k < args->n; k += 3) {
        if (IN[k]) {
            tm_begin();
            OUT[k] += 1;
            tm_commit();
            continue;
        }
        tm_begin();
        OUT[k] += 3;
        tm_commit();
    }
}

SIMT_KERNEL(aborts_of_two_arms, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    tm_begin();
    uint32_t value = OUT[i];
    if (value == 3) {
        OUT[2] = 1;
        tm_abort(1);
    } else if (value == 5) {
        OUT[1] = 2;
        tm_abort(1);
    }
    OUT[i] = value + 1;
    tm_commit();
}

SIMT_KERNEL(transaction_in_loop_of_two, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    for (uint32_t k = 0; k < 2; k++) {
        tm_begin();
        OUT[i + k] += 1;
        tm_commit();
    }
}

SIMT_KERNEL(transaction_between_equal_conditions, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    uint32_t flag = IN[i];
    if (flag)
        OUT[i] = 3;
    tm_begin();
    if (flag)
        OUT[i] += 1;
    else
        OUT[i + 1] += 4;
    tm_commit();
    if (flag)
        OUT[i] += 4;
}

SIMT_KERNEL(barriers_of_two_arms, const corpus_args *args)
{
    if (args->n & 1) {
        OUT[0] += 1;
        simt_barrier();
    } else {
        OUT[1] += 2;
        simt_barrier();
    }
}

SIMT_KERNEL(votes_of_two_arms, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    uint32_t any;
    if (args->n & 1)
        any = simt_vote_any(IN[i]);
    else
        any = simt_vote_any(IN[i + 1]);
    OUT[i] = any;
}

/* Each names its own line. */
SIMT_KERNEL(prints_of_two_arms, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    if (IN[i]) {
        OUT[i] = 3;
        simt_printf("at %u\n", i);
    } else {
        OUT[i + 9] = 3;
        simt_printf("at %u\n", i);
    }
}

SIMT_KERNEL(marks_of_two_arms, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    if (IN[i]) {
        OUT[i] = 3;
        simt_trace_mark(4);
    } else {
        OUT[i + 9] = 3;
        simt_trace_mark(4);
    }
}

SIMT_KERNEL(assertions_that_are_alike, const corpus_args *args)
{
    uint32_t i = simt_global_index();
    simt_assert(OUT[i] != 3);
    OUT[i] = IN[i];
    simt_assert(OUT[i] != 3);
    OUT[i + 1] = IN[i + 1];
}
