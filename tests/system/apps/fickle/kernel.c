/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(waits, const fickle_args *args)
{
    uint32_t done = 0;
    for (; done < args->times; done++)
        __asm__ volatile("" : "+r"(done));
    if (!simt_global_index())
        *HD_POINTER(uint32_t, args->word) += done;
}
