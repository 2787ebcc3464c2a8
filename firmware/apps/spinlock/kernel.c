/* SPDX-License-Identifier: MIT */
/* The lock as one writes it for a CPU. Where lanes of a warp wait for each other behind the loop, its holder waits for
 * those that wait for it: Fung 2015, section 4.1, example 5; ElTantawy 2018, Figure 3.3. */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(spinlock, const spinlock_args *args)
{
    volatile uint32_t *lock = HD_POINTER(volatile uint32_t, args->lock);
    volatile uint32_t *counter = HD_POINTER(volatile uint32_t, args->counter);

    while (!simt_try_lock(lock))
        ;
    simt_fence();
    *counter += 1;
    simt_unlock(lock);
}
