/* SPDX-License-Identifier: MIT */
/* Kernels that do one thing for very long, or for ever. Each thread's result is `times`. */
#include "args.h"
#include "tm.h"

static uint32_t is_chosen(const busy_args *args)
{
    return simt_thread_x() >= args->first && simt_thread_x() <= args->last;
}

static volatile uint32_t *words(const busy_args *args)
{
    return HD_POINTER(volatile uint32_t, args->data);
}

/* As many instructions as it takes, and none that any other thread could see. */
static uint32_t compute(uint32_t times)
{
    uint32_t done = 0;
    for (; done < times; done++)
        __asm__ volatile("" : "+r"(done));
    return done;
}

SIMT_KERNEL(computes, const busy_args *args)
{
    if (is_chosen(args))
        words(args)[simt_global_index()] = compute(args->times);
}

/* The others of the block wait at a barrier meanwhile. */
SIMT_KERNEL(computes_for_others, const busy_args *args)
{
    uint32_t done = args->times;
    if (is_chosen(args))
        done = compute(args->times);
    simt_barrier();
    words(args)[simt_global_index()] = done;
}

/* Lane 0 computes what the other lanes of its warp ask for all the time. */
SIMT_KERNEL(computes_for_pollers, const busy_args *args)
{
    volatile uint32_t *flag = words(args) + simt_global_size();
    uint32_t done = args->times;
    if (!simt_thread_x()) {
        done = compute(args->times);
        *flag = 1;
    }
    while (*flag != 1)
        ;
    words(args)[simt_global_index()] = done;
}

/* The first warp looks at a word so often that others seem to wait in vain: of each of them lane 0 polls, and the rest waits for it. */
SIMT_KERNEL(looks_while_others_poll, const busy_args *args)
{
    volatile uint32_t *flag = words(args) + simt_global_size();
    if (simt_warp() == 0) {
        for (uint32_t i = 0; i < args->times; i++)
            (void)words(args)[0];
        *flag = 1;
    } else if (!simt_lane()) {
        while (*flag != 1)
            ;
    }
    words(args)[simt_global_index()] = args->times;
}

/* Stores of one transaction to one word. */
SIMT_KERNEL(stores_in_a_transaction, const busy_args *args)
{
    volatile uint32_t *word = words(args) + simt_global_index();
    if (!is_chosen(args))
        return;
    tm_begin();
    for (uint32_t i = 1; i <= args->times; i++)
        *word = i;
    tm_commit();
}

/* One warp, in the scratchpad: no barrier is needed. */
SIMT_KERNEL(counts_in_the_scratchpad, const busy_args *args)
{
    volatile uint32_t *word = (volatile uint32_t *)simt_scratchpad + simt_thread_x();
    while (*word != args->times)
        ++*word;
    words(args)[simt_global_index()] = *word;
}

SIMT_KERNEL(adds_in_the_scratchpad, const busy_args *args)
{
    uint32_t *word = (uint32_t *)simt_scratchpad + simt_thread_x();
    while (simt_atomic_add(word, 1) != args->times - 1)
        ;
    words(args)[simt_global_index()] = *word;
}

/* The others of the warp are in its way. */
SIMT_KERNEL(counts_in_transactions, const busy_args *args)
{
    volatile uint32_t *word = (volatile uint32_t *)simt_scratchpad;
    for (uint32_t i = 0; i < args->times; i++) {
        tm_begin_scratchpad();
        ++*word;
        tm_commit();
    }
    words(args)[simt_global_index()] = args->times;
}

/* Word after word, and none is ever stored. */
SIMT_KERNEL(reads_much, const busy_args *args)
{
    const uint32_t *word = HD_POINTER(const uint32_t, args->table);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < args->times; i++)
        sum += __atomic_load_n(&word[(i * 32 + simt_lane()) % args->words], __ATOMIC_RELAXED);
    words(args)[simt_global_index()] = sum;
}

/* A word each turn, the same for all of it; lanes part by what they have read, and leave the loop at different times. */
SIMT_KERNEL(reads_apart, const busy_args *args)
{
    const uint32_t *word = HD_POINTER(const uint32_t, args->table);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < args->times + simt_lane(); i++)
        if (__atomic_load_n(&word[i % args->words], __ATOMIC_RELAXED) + (simt_lane() & 1))
            sum++;
    words(args)[simt_global_index()] = sum == 0xFFFFFFFF ? 0 : args->times;
}

/* ---- For ever -------------------------------------------------------------------------------------------------------- */

SIMT_KERNEL(polls, const busy_args *args)
{
    while (words(args)[0] != 1)
        ;
}

SIMT_KERNEL(computes_then_polls, const busy_args *args)
{
    const uint32_t done = compute(args->times);
    while (words(args)[0] != done)
        ;
}

SIMT_KERNEL(polls_and_counts, const busy_args *args)
{
    uint32_t tries = 0;
    while (words(args)[0] != 1)
        tries++;
    words(args)[0] = tries;
}

SIMT_KERNEL(polls_the_scratchpad, const busy_args *args)
{
    (void)args;
    while (*(volatile uint32_t *)simt_scratchpad != 1)
        ;
}

SIMT_KERNEL(polls_in_transactions, const busy_args *args)
{
    uint32_t read;
    do {
        tm_begin();
        read = words(args)[0];
        tm_commit();
    } while (read != 1);
}

SIMT_KERNEL(polls_the_scratchpad_in_transactions, const busy_args *args)
{
    uint32_t read;
    (void)args;
    do {
        tm_begin_scratchpad();
        read = *(volatile uint32_t *)simt_scratchpad;
        tm_commit();
    } while (read != 1);
}

/* What it stores is taken back. */
SIMT_KERNEL(stores_and_aborts, const busy_args *args)
{
    (void)args;
    tm_begin_scratchpad();
    ++*((volatile uint32_t *)simt_scratchpad + simt_thread_x());
    tm_abort(0);
    tm_commit();
}

/* With a pause between the attempts that is short beside the watchdog. */
SIMT_KERNEL(polls_now_and_then, const busy_args *args)
{
    while (words(args)[0] != 1)
        compute(100);
}

SIMT_KERNEL(never_gets_the_lock, const busy_args *args)
{
    uint32_t *lock = HD_POINTER(uint32_t, args->data);
    *lock = 1;
    while (simt_atomic_swap(lock, 1) != 0)
        ;
}

SIMT_KERNEL(computes_for_ever, const busy_args *args)
{
    words(args)[0] = 1;
    for (;;)
        __asm__ volatile("");
}

SIMT_KERNEL(stores_for_ever, const busy_args *args)
{
    for (;;)
        words(args)[simt_global_index()]++;
}

SIMT_KERNEL(meets_for_ever, const busy_args *args)
{
    for (uint32_t i = 0; i != args->times; i += 2)
        simt_barrier();
}
