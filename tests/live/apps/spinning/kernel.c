/* SPDX-License-Identifier: MIT */
/* Two locks for all, one behind the other, of which the source marks one. Then loops that do not spin, but may be taken for it: steps of
 * 256 or 4, and compares that differ in their places only. */
#include "args.h"
#include "simt_spin.h"

#define UNDER(lock, counter, opaque)                                                                                   \
    for (uint32_t done = 0; !opaque(done);)                                                                            \
        if (simt_try_lock(lock)) {                                                                                     \
            simt_fence();                                                                                              \
            (counter)++;                                                                                               \
            simt_unlock(lock);                                                                                         \
            done = 1;                                                                                                  \
        }

SIMT_KERNEL(spinning, const spinning_args *args)
{
    volatile uint32_t *words = HD_POINTER(volatile uint32_t, args->locks);
    const uint32_t rounds = args->rounds;
    uint32_t unused, left = 8 * rounds;
    for (uint32_t i = 0; i < rounds; i++) {
        UNDER(words, words[2], simt_opaque_spins)
        UNDER(words + 1, words[3], simt_opaque)
    }
    for (uint32_t step = 4; step <= 256; step += 252)
        for (uint32_t i = 0; i < 8 * step * rounds; i += step)
            __asm__ volatile("addi %0, %1, 1" : "=r"(unused) : "r"(i));
    __asm__ volatile("0:\tbeqz %0, 1f\n\taddi %0, %0, -1\n\t.rept 24\n\tslti %1, zero, 1\n\t.endr\n\tj 0b\n1:"
                     : "+r"(left), "=r"(unused));
}

/* The first warp goes round a loop that the source marks; all others wait for it in one that is not marked, and have something to issue
 * nearly always. */
SIMT_KERNEL(starving, const spinning_args *args)
{
    volatile uint32_t *words = HD_POINTER(volatile uint32_t, args->locks);
    if (simt_warp() == 0) {
        uint32_t left = args->rounds;
        while (simt_opaque_spins(left))
            left--;
        words[2] = 1;
    } else {
        do
            __asm__ volatile(".rept 200\n\tnop\n\t.endr");
        while (!simt_load_cg(&words[2]));
    }
}
