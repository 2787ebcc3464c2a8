/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(empty, const host_speed_args *args)
{
    (void)args;
}

/* Keeps all cores busy. */
SIMT_KERNEL(work, const host_speed_args *args)
{
    uint32_t i = simt_global_index(), value = i;
    for (uint32_t round = 0; round < args->rounds; round++)
        value = value * 1664525 + 1013904223;
    if (i < args->n)
        HD_POINTER(uint32_t, args->data)[i] = value;
}
