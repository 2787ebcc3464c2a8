/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(xorshift, const xorshift_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->threads)
        return;
    uint32_t *state = HD_POINTER(uint32_t, args->state) + i;
    uint32_t x = *state;
    for (uint32_t step = args->steps; step != 0; step--)
        x = xorshift_step(x);
    *state = x;
}
