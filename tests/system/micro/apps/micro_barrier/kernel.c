/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(micro_barrier, const micro_barrier_args *args)
{
    for (uint32_t left = args->rounds; left != 0; left--) {
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
        simt_barrier();
    }
}
