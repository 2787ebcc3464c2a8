/* SPDX-License-Identifier: MIT */
#include "kernels.h"
#include "heddle_tile.h"
#include "simt.h"

uint32_t table[16] = {1, 2, 3, 4};

SIMT_KERNEL(add, const array_args *args)
{
    const uint32_t i = simt_global_index();
    if (i < args->n)
        HD_POINTER(uint32_t, args->data)[i] += args->value;
}

SIMT_KERNEL(add_from_table, const array_args *args)
{
    const uint32_t i = simt_global_index();
    if (i < args->n)
        HD_POINTER(uint32_t, args->data)[i] += table[i % 16];
}

/* All to the first, with nothing between them. */
SIMT_KERNEL(add_to_one, const array_args *args)
{
    *HD_POINTER(volatile uint32_t, args->data) += args->value + simt_global_index();
}

/* Takes long for its size. */
SIMT_KERNEL(count, const array_args *args)
{
    volatile uint32_t *data = HD_POINTER(volatile uint32_t, args->data);
    for (uint32_t i = 0; i < args->n; i++)
        data[simt_global_index()] += args->value;
}

SIMT_KERNEL(say, const array_args *args)
{
    if (simt_global_index() == 0)
        simt_printf("the value is %u\n", args->value);
}

SIMT_KERNEL(lose_its_way, const array_args *args)
{
    *HD_POINTER(volatile uint32_t, ((hd_device_ptr){args->value})) = 1;
}

/* The first warp waits at one barrier, the others at another. */
SIMT_KERNEL(wait_for_each_other, const array_args *args)
{
    (void)args;
    if (simt_thread_x() < 32)
        simt_barrier_number(1);
    else
        simt_barrier_number(2);
}

/* Until somebody writes there, which nobody does. */
SIMT_KERNEL(wait_for_ever, const array_args *args)
{
    while (*HD_POINTER(volatile uint32_t, args->data) != args->value)
        ;
}

/* One thread of each PE: what it writes stays in caches of tiles until somebody has answered. */
SIMT_KERNEL(ask_on_tiles, const array_args *args)
{
    const uint32_t pe = simt_global_index();
    volatile tile_words *words = &HD_POINTER(volatile tile_words, args->data)[pe];
    words->asked = args->value + pe;
    while (words->answer == 0)
        ;
    words->seen = words->answer;
    simt_fence();
    heddle_tile_barrier();
    heddle_tile_flush();
}
