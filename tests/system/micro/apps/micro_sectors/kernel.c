/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(micro_sectors, const micro_sectors_args *args)
{
    uintptr_t first = args->start.address + simt_global_index() * args->step;
    uint32_t all = simt_global_size() * args->step;
    uintptr_t at = first;
    for (uint32_t i = 0; i < args->stores * args->count; i++, at += all)
        *(volatile uint32_t *)at = i;
    at = first;
    for (uint32_t i = 0; i < args->loads * args->count; i++, at += all)
        (void)*(volatile uint32_t *)at;
}
