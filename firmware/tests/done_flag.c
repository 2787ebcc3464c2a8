/* SPDX-License-Identifier: MIT */
/* The release is inside the loop in the source. With the flag in a register gcc moves it behind, at -O2 and -Os. */
#include "simt.h"

typedef struct done_flag_args {
    hd_device_ptr lock;
    hd_device_ptr counter;
} done_flag_args;

SIMT_KERNEL(done_flag, const done_flag_args *args)
{
    volatile uint32_t *lock = HD_POINTER(volatile uint32_t, args->lock);
    uint32_t done = 0;
    while (!done) {
        if (simt_try_lock(lock)) {
            simt_fence();
            *HD_POINTER(volatile uint32_t, args->counter) += 1;
            simt_unlock(lock);
            done = 1;
        }
    }
}
