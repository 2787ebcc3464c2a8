/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* A particle per thread: lists differ in length, and few lanes of a warp are in the cut-off at once. */
SIMT_KERNEL(pair_forces, const pair_forces_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->particles)
        return;
    pair_forces_vector force =
        pair_forces_of(HD_POINTER(const pair_forces_vector, args->places), HD_POINTER(const uint32_t, args->first),
                       HD_POINTER(const uint32_t, args->others), i);
    HD_POINTER(pair_forces_vector, args->forces)[i] = force;
}
