/* SPDX-License-Identifier: MIT */
/*
 * Loops that wait, and loops that look like it. `heddle lint` must warn of the kernels whose names begin with lock_ (a lock
 * given back behind its retry loop: simt_deadlock) and stale_ (waits for a plain load: stale_spin), and of no other, at every
 * level of optimisation. Nothing here is run.
 */
#include "simt.h"

typedef struct waiting_args {
    hd_device_ptr word;
    hd_device_ptr more;
    hd_device_ptr out;
    uint32_t n;
} waiting_args;

#define WORD HD_POINTER(volatile uint32_t, args->word)
#define MORE HD_POINTER(volatile uint32_t, args->more)
#define OUT HD_POINTER(uint32_t, args->out)

/* ---- A lock that is given back behind the loop ------------------------------------------------------------------- */

SIMT_KERNEL(lock_of_one_compare_and_swap, const waiting_args *args)
{
    while (!simt_try_lock(WORD))
        ;
    *MORE += 1;
    simt_unlock(WORD);
}

SIMT_KERNEL(lock_of_one_swap, const waiting_args *args)
{
    while (simt_atomic_swap(WORD, 1))
        ;
    *MORE += 1;
    simt_atomic_swap(WORD, 0);
}

/* gcc makes a loop of lr and sc of this, inside the loop. */
SIMT_KERNEL(lock_of_reserved_load_and_store, const waiting_args *args)
{
    uint32_t expected = 0;
    while (!__atomic_compare_exchange_n(WORD, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        expected = 0;
    *MORE += 1;
    __atomic_store_n(WORD, 0, __ATOMIC_RELEASE);
}

SIMT_KERNEL(lock_of_many, const waiting_args *args)
{
    for (uint32_t i = simt_global_index(); i < args->n; i += simt_global_size()) {
        volatile uint32_t *lock = &WORD[i & 15];
        while (!simt_try_lock(lock))
            ;
        OUT[i & 15] += i;
        simt_unlock(lock);
    }
}

SIMT_KERNEL(lock_with_two_ways_out, const waiting_args *args)
{
    while (simt_atomic_swap(WORD, 1))
        ;
    if (*MORE & 1) {
        simt_unlock(WORD);
        return;
    }
    *MORE += 1;
    simt_unlock(WORD);
}

SIMT_KERNEL(lock_with_a_pause, const waiting_args *args)
{
    while (simt_atomic_swap(WORD, 1)) {
        uint32_t start = simt_cycle();
        while (simt_cycle() - start < args->n)
            ;
    }
    *MORE += 1;
    simt_unlock(WORD);
}

/* ---- A wait for a plain load ------------------------------------------------------------------------------------- */

SIMT_KERNEL(stale_flag, const waiting_args *args)
{
    while (!*WORD)
        ;
    OUT[0] = 1;
}

SIMT_KERNEL(stale_flag_of_this_thread, const waiting_args *args)
{
    volatile uint32_t *flag = WORD + simt_global_index();
    while (flag[1] < args->n)
        ;
    OUT[0] = 1;
}

SIMT_KERNEL(stale_either_of_two, const waiting_args *args)
{
    while (!*WORD && !*MORE)
        ;
    OUT[0] = 1;
}

SIMT_KERNEL(stale_flag_with_work, const waiting_args *args)
{
    volatile uint32_t *flag = WORD;
    while (!*flag)
        simt_atomic_add(MORE, 1);
}

/* ---- No warning -------------------------------------------------------------------------------------------------- */

SIMT_KERNEL(volatile_done_flag, const waiting_args *args)
{
    volatile uint32_t done = 0;
    while (!done) {
        if (simt_try_lock(WORD)) {
            *MORE += 1;
            simt_unlock(WORD);
            done = 1;
        }
    }
}

SIMT_KERNEL(opaque_done_flag, const waiting_args *args)
{
    uint32_t done = 0;
    while (!simt_opaque(done)) {
        if (simt_try_lock(WORD)) {
            *MORE += 1;
            simt_unlock(WORD);
            done = 1;
        }
    }
}

SIMT_KERNEL(two_locks_with_an_opaque_flag, const waiting_args *args)
{
    for (uint32_t i = 0; i < args->n; i++) {
        uint32_t done = 0;
        do {
            if (simt_try_lock(&WORD[i])) {
                if (simt_try_lock(&MORE[i])) {
                    OUT[i] += 1;
                    simt_unlock(&MORE[i]);
                    done = 1;
                }
                simt_unlock(&WORD[i]);
            }
        } while (!simt_opaque(done));
    }
}

SIMT_KERNEL(two_locks_with_back_out, const waiting_args *args)
{
    volatile uint32_t done = 0;
    while (!done) {
        if (simt_try_lock(WORD)) {
            if (simt_try_lock(MORE)) {
                OUT[0] += 1;
                simt_unlock(MORE);
                done = 1;
            }
            simt_unlock(WORD);
        }
    }
}

SIMT_KERNEL(compare_and_swap_of_a_sum, const waiting_args *args)
{
    uint32_t before = *WORD, now;
    while ((now = simt_atomic_cas(WORD, before, before * 3 + 1)) != before)
        before = now;
}

SIMT_KERNEL(reserved_load_and_store_of_a_sum, const waiting_args *args)
{
    uint32_t before = *WORD;
    while (!__atomic_compare_exchange_n(WORD, &before, before * 3 + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

SIMT_KERNEL(queue_of_work, const waiting_args *args)
{
    uint32_t i, sum = 0;
    while ((i = simt_atomic_add(WORD, 1)) < args->n)
        sum += MORE[i];
    OUT[simt_global_index()] = sum;
}

SIMT_KERNEL(flag_past_the_l1, const waiting_args *args)
{
    while (!simt_load_cg(WORD))
        ;
    OUT[0] = 1;
}

SIMT_KERNEL(flag_with_a_fence, const waiting_args *args)
{
    while (!*WORD)
        simt_fence();
    OUT[0] = 1;
}

SIMT_KERNEL(flag_by_atomic, const waiting_args *args)
{
    while (!simt_atomic_or(WORD, 0))
        ;
    OUT[0] = 1;
}

SIMT_KERNEL(flag_for_a_while, const waiting_args *args)
{
    for (uint32_t i = 0; i < 1000 && !*WORD; i++)
        ;
    OUT[0] = 1;
}

SIMT_KERNEL(flag_in_the_scratchpad, const waiting_args *args)
{
    volatile uint32_t *flag = simt_scratchpad;
    while (!flag[2])
        ;
    OUT[0] = 1;
    (void)args;
}

SIMT_KERNEL(bound_that_is_read_again, const waiting_args *args)
{
    uint32_t *bound = HD_POINTER(uint32_t, args->more);
    for (uint32_t i = 0; i < *bound; i++)
        OUT[i] = i;
}

SIMT_KERNEL(list_to_its_end, const waiting_args *args)
{
    uint32_t node = *WORD, length = 0;
    for (; node; node = HD_POINTER(volatile uint32_t, args->more)[node])
        length++;
    OUT[0] = length;
}

SIMT_KERNEL(own_word_counted_down, const waiting_args *args)
{
    volatile uint32_t *word = WORD + simt_global_index();
    while (*word > 3)
        *word -= 1;
}
