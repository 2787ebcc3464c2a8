/* SPDX-License-Identifier: MIT */
/* One warp, whose first lanes add to a word of the scratchpad in transactions. A kernel file of its own: only some machines have them. */
#include "args.h"
#include "tm.h"

/* Each lane's sum is of all before it: no two of them can have the same one. */
SIMT_KERNEL(watched_scratchpad, const watched_scratchpad_args *args)
{
    volatile uint32_t *sum = simt_scratchpad;
    const uint32_t gives_up = args->gives_up && simt_lane() == 1;
    if (simt_lane() >= 3)
        return;
    *sum = 0;
    tm_begin_scratchpad();
    *sum += simt_lane() + 1;
    if (gives_up && tm_attempt() == 1)
        tm_abort(1);
    tm_commit();
    while (*sum != 1 + 2 + 3)
        ;
    *HD_POINTER(volatile uint32_t, args->sum) = *sum;
}
