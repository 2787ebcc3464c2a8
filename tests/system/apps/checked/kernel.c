/* SPDX-License-Identifier: MIT */
/* Kernels with one mistake each that the cores carry out without a word, and beside them others without it. The line that is to
 * be named ends in a comment of the kernel's name. */
#include "args.h"
#include "simt.h"
#include "tm.h"

#define IN HD_POINTER(const uint32_t, args->in)
#define OUT HD_POINTER(uint32_t, args->out)
#define FLAGS HD_POINTER(volatile uint32_t, args->flags)

SIMT_KERNEL(nothing, const checked_args *args)
{
    uint32_t i = simt_global_index();
    OUT[i] = IN[i];
}

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

SIMT_KERNEL(far_away, const checked_args *args)
{
    uint32_t row = simt_global_index();
    OUT[row + args->distance] = IN[row]; /* far_away */
}

SIMT_KERNEL(behind_the_end, const checked_args *args)
{
    uint32_t i = simt_global_index();
    OUT[i] = IN[i + 2]; /* behind_the_end */
}

SIMT_KERNEL(before_the_start, const checked_args *args)
{
    uint32_t i = simt_global_index();
    OUT[i - 1] = i; /* before_the_start */
}

SIMT_KERNEL(partly_behind, const checked_args *args)
{
    if (simt_global_index() == 0)
        HD_POINTER(uint32_t, args->short_one)[2] = 1; /* partly_behind */
}

SIMT_KERNEL(freed, const checked_args *args)
{
    uint32_t i = simt_global_index();
    OUT[i] = HD_POINTER(const uint32_t, args->gone)[i]; /* freed */
}

SIMT_KERNEL(not_written, const checked_args *args)
{
    OUT[simt_global_index()] += 1; /* not_written */
}

SIMT_KERNEL(half_written, const checked_args *args)
{
    uint32_t i = simt_global_index();
    ((volatile uint16_t *)OUT)[2 * i] = (uint16_t)i;
    OUT[i] = *(volatile uint32_t *)&OUT[i] + 1; /* half_written */
}

SIMT_KERNEL(atomic_not_written, const checked_args *args)
{
    simt_atomic_add(&OUT[simt_thread_x()], 1);
}

SIMT_KERNEL(store_to_code, const checked_args *args)
{
    if (simt_global_index() == 0)
        *HD_POINTER(volatile uint32_t, (hd_device_ptr){args->distance}) = 0; /* store_to_code */
}

/* ---- Races in the scratchpad ------------------------------------------------------------------------------------------ */

SIMT_KERNEL(tree, const checked_args *args)
{
    uint32_t thread = simt_thread_x();
    simt_scratchpad[thread] = IN[simt_global_index()];
    simt_barrier();
    for (uint32_t half = simt_block_size_x() / 2; half > 0; half /= 2) {
        if (thread < half)
            simt_scratchpad[thread] += simt_scratchpad[thread + half];
        simt_barrier();
    }
    if (thread == 0)
        OUT[simt_block_x()] = simt_scratchpad[0];
}

SIMT_KERNEL(tree_without_barrier, const checked_args *args)
{
    uint32_t thread = simt_thread_x();
    simt_scratchpad[thread] = IN[simt_global_index()];
    simt_barrier();
    for (uint32_t half = simt_block_size_x() / 2; half > 0; half /= 2) {
        if (thread < half)
            simt_scratchpad[thread] += simt_scratchpad[thread + half]; /* tree_without_barrier */
    }
    simt_barrier();
    if (thread == 0)
        OUT[simt_block_x()] = simt_scratchpad[0];
}

SIMT_KERNEL(counted_too_early, const checked_args *args)
{
    uint32_t thread = simt_thread_x();
    simt_atomic_add(&simt_scratchpad[thread / 2], 1);
    OUT[simt_global_index()] = simt_scratchpad[thread]; /* counted_too_early */
}

SIMT_KERNEL(counted, const checked_args *args)
{
    uint32_t thread = simt_thread_x();
    simt_atomic_add(&simt_scratchpad[thread / 2], 1);
    simt_barrier();
    OUT[simt_global_index()] = simt_scratchpad[thread];
}

SIMT_KERNEL(neighbour_lane, const checked_args *args)
{
    volatile uint32_t *words = simt_scratchpad;
    words[simt_thread_x()] = IN[simt_global_index()];
    OUT[simt_global_index()] = words[simt_thread_x() ^ 1]; /* neighbour_lane */
}

SIMT_KERNEL(neighbour_lane_synchronised, const checked_args *args)
{
    volatile uint32_t *words = simt_scratchpad;
    words[simt_thread_x()] = IN[simt_global_index()];
    simt_warp_sync();
    OUT[simt_global_index()] = words[simt_thread_x() ^ 1];
}

/* The lock needs no fence: the scratchpad keeps the order. */
SIMT_KERNEL(scratchpad_lock, const checked_args *args)
{
    volatile uint32_t *words = simt_scratchpad;
    uint32_t done = 0;
    while (!simt_opaque(done)) {
        if (simt_atomic_swap(&words[0], 1) == 0) {
            words[1] += 1;
            simt_atomic_swap(&words[0], 0);
            done = 1;
        }
    }
    simt_barrier();
    OUT[simt_global_index()] = words[1];
}

/* ---- Races in global memory -------------------------------------------------------------------------------------------- */

SIMT_KERNEL(one_word, const checked_args *args)
{
    FLAGS[0] = simt_block_x(); /* one_word */
}

SIMT_KERNEL(one_word_one_value, const checked_args *args)
{
    FLAGS[0] = 1;
}

SIMT_KERNEL(bytes_of_one_word, const checked_args *args)
{
    if (simt_thread_x() < 4)
        ((volatile uint8_t *)FLAGS)[simt_thread_x() + 4 * simt_block_x()] = (uint8_t)simt_thread_x();
}

SIMT_KERNEL(counter, const checked_args *args)
{
    FLAGS[0] += 1; /* counter */
}

static void locked(volatile uint32_t *lock, volatile uint32_t *count, uint32_t fences)
{
    uint32_t done = 0;
    while (!simt_opaque(done)) {
        if (simt_try_lock(lock)) {
            if (fences)
                simt_fence();
            *count += 1; /* counter_without_fences */
            if (fences)
                simt_unlock(lock);
            else
                simt_atomic_swap(lock, 0);
            done = 1;
        }
    }
}

SIMT_KERNEL(counter_locked, const checked_args *args)
{
    locked(&FLAGS[0], &FLAGS[1], 1);
}

SIMT_KERNEL(counter_without_fences, const checked_args *args)
{
    locked(&FLAGS[0], &FLAGS[1], 0);
}

SIMT_KERNEL(locked_here_only, const checked_args *args)
{
    locked(&FLAGS[0], &FLAGS[1], 1);
    if (simt_global_index() == 3)
        FLAGS[1] = 0; /* locked_here_only */
}

/* Block 0 tells all others. `how`: of the store of the flag. */
enum { PLAIN_FENCED, PLAIN, RELEASED };
static void publish(const checked_args *args, uint32_t how)
{
    if (simt_thread_x() != 0)
        return;
    if (simt_block_x() == 0) {
        OUT[0] = 7;
        if (how == RELEASED) {
            __atomic_exchange_n(&FLAGS[0], 1, __ATOMIC_RELEASE);
            return;
        }
        if (how == PLAIN_FENCED)
            simt_fence();
        FLAGS[0] = 1;
        return;
    }
    if (how == RELEASED) {
        while (__atomic_fetch_or(&FLAGS[0], 0, __ATOMIC_ACQUIRE) == 0)
            ;
    } else {
        while (simt_load_cg(&FLAGS[0]) == 0)
            ;
        simt_fence();
    }
    FLAGS[1 + simt_block_x()] = OUT[0]; /* published_without_fence */
}

SIMT_KERNEL(published, const checked_args *args)
{
    publish(args, PLAIN_FENCED);
}

SIMT_KERNEL(published_without_fence, const checked_args *args)
{
    publish(args, PLAIN);
}

SIMT_KERNEL(published_by_release, const checked_args *args)
{
    publish(args, RELEASED);
}

/* The last block that arrives sums up what all have stored. */
static void sum_up(const checked_args *args, uint32_t fenced)
{
    uint32_t thread = simt_thread_x();
    OUT[simt_global_index()] = thread;
    if (fenced)
        simt_fence();
    simt_barrier();
    if (thread != 0)
        return;
    simt_fence();
    if (simt_atomic_add(&FLAGS[0], 1) + 1 != simt_grid_size_x())
        return;
    simt_fence();
    uint32_t sum = 0;
    for (uint32_t i = 0; i < simt_global_size(); i++)
        sum += OUT[i]; /* summed_up_too_early */
    FLAGS[1] = sum;
}

SIMT_KERNEL(summed_up, const checked_args *args)
{
    sum_up(args, 1);
}

SIMT_KERNEL(summed_up_too_early, const checked_args *args)
{
    sum_up(args, 0);
}

SIMT_KERNEL(looked_at, const checked_args *args)
{
    if (FLAGS[simt_thread_x() % 64] == 0) /* looked_at */
        simt_atomic_swap(&FLAGS[simt_thread_x() % 64], 1);
}

SIMT_KERNEL(looked_at_on_purpose, const checked_args *args)
{
    if (simt_load_relaxed(&FLAGS[simt_thread_x() % 64]) == 0)
        simt_atomic_swap(&FLAGS[simt_thread_x() % 64], 1);
}

/* ---- Transactions ------------------------------------------------------------------------------------------------------- */

static void count_in_transaction(const checked_args *args)
{
    tm_begin();
    FLAGS[0] += 1; /* transaction_meets_store */
    tm_commit();
}

SIMT_KERNEL(transactions, const checked_args *args)
{
    count_in_transaction(args);
}

SIMT_KERNEL(transaction_meets_store, const checked_args *args)
{
    if (simt_block_x() == 0)
        count_in_transaction(args);
    else
        FLAGS[0] = simt_block_size_x();
}

SIMT_KERNEL(transaction_not_written, const checked_args *args)
{
    tm_begin();
    OUT[simt_global_index()] += 1; /* transaction_not_written */
    tm_commit();
}

/* The attempt that reads where nothing has been written has no effect. */
SIMT_KERNEL(abandoned, const checked_args *args)
{
    uint32_t i = simt_global_index();
    tm_begin();
    if (tm_attempt() == 1) {
        FLAGS[0] = OUT[i];
        tm_abort(1);
    }
    OUT[i] = IN[i];
    tm_commit();
}
