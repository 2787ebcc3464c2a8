/* SPDX-License-Identifier: MIT */
/* One warp, whose accesses are watched: each kind by few of its lanes. */
#include "args.h"
#include "simt.h"
#include "tm.h"

SIMT_KERNEL(watched, const watched_args *args)
{
    volatile uint32_t *words = HD_POINTER(volatile uint32_t, args->words);
    const uint32_t lane = simt_lane();
    volatile uint32_t kept = lane; /* on the stack */
    if (lane == 3)
        words[WATCHED_STORED] = 7;
    if (lane == 3 || lane == 9 || lane == 10)
        simt_atomic_add(&words[lane == 9 ? WATCHED_FAR : WATCHED_COUNTED], lane);
    if (lane >= 4 && lane < 8)
        ((volatile uint8_t *)&words[WATCHED_BYTES])[lane - 4] = (uint8_t)(lane + 1);
    simt_scratchpad[lane] = 100 + lane;
    if (lane == 5)
        kept = words[WATCHED_STORED] + 1;
    if (lane == 12) /* registers that are others soon after each access */
        __asm__ volatile("li t0, 21\n\tsw t0, %0\n\tli t0, 22\n\tsw t0, %0\n\tli t0, 23\n\tlw t1, %0\n\tli t0, 24"
                         : "+m"(words[WATCHED_CHANGED])
                         :
                         : "t0", "t1");
    words[WATCHED_READ + lane] = kept;
}

/* Each lane's sum is of all before it: no two of them can have the same one. */
SIMT_KERNEL(watched_transactions, const watched_args *args)
{
    volatile uint32_t *words = HD_POINTER(volatile uint32_t, args->words);
    const uint32_t waits = args->waits, gives_up = args->gives_up && simt_lane() == 1;
    if (simt_lane() >= 3)
        return;
    tm_begin();
    if (gives_up && tm_attempt() == 1)
        tm_abort(1);
    words[WATCHED_SUM] += simt_lane() + 1;
    tm_commit();
    while (waits && simt_load_cg(&words[WATCHED_SUM]) != 1 + 2 + 3)
        ;
}
