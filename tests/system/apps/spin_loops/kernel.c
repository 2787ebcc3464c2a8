/* SPDX-License-Identifier: MIT */
/* Loops in which threads wait, made so that it is known beforehand what a detector finds, and how often a back-off lets them go round. */
#include "args.h"
#include "simt_spin.h"

/* All warps but the last wait for the last one, which goes round for a long time, in a loop of so many compares. */
SIMT_INLINE void raise_late(volatile uint32_t *flag, uint32_t rounds)
{
    for (uint32_t left = rounds; left > 0; left--)
        __asm__ volatile("");
    simt_fence();
    *flag = 1;
}

#define WAITS(name, others)                                                                                            \
    SIMT_KERNEL(name, const spin_loops_args *args)                                                                     \
    {                                                                                                                  \
        volatile uint32_t *flag = HD_POINTER(volatile uint32_t, args->word);                                           \
        if (simt_warp() == simt_block_size_x() / 32 - 1)                                                               \
            raise_late(flag, args->rounds);                                                                            \
        else                                                                                                           \
            do {                                                                                                       \
                simt_spins();                                                                                          \
                __asm__ volatile(".rept " others "\n\tbne zero, zero, 0f\n\t.endr\n0:");                               \
            } while (!simt_load_cg(flag));                                                                             \
    }
WAITS(waits_1, "0")
WAITS(waits_2, "1")
WAITS(waits_3, "2")
WAITS(waits_4, "3")
WAITS(waits_5, "4")
WAITS(waits_6, "5")
WAITS(waits_7, "6")
WAITS(waits_8, "7")

/* The branch of the loop compares the same two numbers each time; what makes them does not. */
SIMT_KERNEL(counts, const spin_loops_args *args)
{
    uint32_t i = 0, goes_on;
    do {
        i++;
        __asm__ volatile("slti %0, %1, 1000" : "=r"(goes_on) : "r"(i));
    } while (goes_on);
    *HD_POINTER(volatile uint32_t, args->word) = 1;
}

/* Each thread puts itself in front of a stack without a lock: what a try compares is another thread each time. */
SIMT_KERNEL(pushes, const spin_loops_args *args)
{
    volatile uint32_t *first = HD_POINTER(volatile uint32_t, args->word);
    volatile uint32_t *nexts = HD_POINTER(volatile uint32_t, args->nexts);
    const uint32_t thread = simt_global_index();
    uint32_t expected;
    do {
        simt_spins();
        expected = simt_load_cg(first);
        nexts[thread] = expected;
        simt_fence();
    } while (simt_atomic_cas(first, expected, thread + 1) != expected);
}

/* One thread takes a lock, and frees it by an atomic whose result it uses. */
SIMT_KERNEL(frees, const spin_loops_args *args)
{
    volatile uint32_t *lock = HD_POINTER(volatile uint32_t, args->word);
    uint32_t before;
    if (simt_global_index() == 0 && simt_try_lock(lock)) {
        __asm__ volatile("0:\tamoswap.w %0, zero, (%1)\n\t"
                         ".pushsection .heddle.lock_accesses\n\t.word 0b\n\t.popsection"
                         : "=&r"(before)
                         : "r"(lock)
                         : "memory");
        *lock = before;
    }
}

/* A loop that goes back by two branches in turn, neither of which is passed without being taken but at the end. */
SIMT_KERNEL(alternates, const spin_loops_args *args)
{
    uint32_t left = 20, odd;
    __asm__ volatile("0:\n\tandi %1, %0, 1\n\taddi %0, %0, -1\n\tbnez %1, 1f\n\tbgtz %0, 0b\n"
                     "1:\n\tbgtz %0, 0b\n\t"
                     ".pushsection .heddle.spin\n\t.word 0b, 1b\n\t.popsection"
                     : "+r"(left), "=&r"(odd));
    *HD_POINTER(volatile uint32_t, args->word) = 1;
}
