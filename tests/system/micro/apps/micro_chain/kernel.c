/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_INLINE void make_chain(const micro_chain_args *args, uintptr_t first)
{
    for (uint32_t k = 0; k < args->length; k++) {
        uint32_t next = k + 1 == args->length ? 0 : k + 1;
        *(volatile uint32_t *)(first + k * args->step) = first + next * args->step;
    }
}

SIMT_KERNEL(micro_chain, const micro_chain_args *args)
{
    uint32_t thread = simt_thread_x();
    uintptr_t start = args->start.address ? args->start.address : (uintptr_t)simt_scratchpad;
    uintptr_t first = start + args->offset + simt_lane() * args->lane_stride;
    uint32_t *result = HD_POINTER(uint32_t, args->result);
    if (args->start.address == 0)
        make_chain(args, first);

    uintptr_t at = first;
    for (uint32_t i = 0; i < args->warm; i++)
        at = *(volatile uint32_t *)at;

    uint32_t begin, end, unused;
    /* The moves wait for the value in front of them, and the counter is read behind them. */
    __asm__ volatile("mv %[unused], %[at]\n\t"
                     "csrr %[begin], cycle\n\t"
                     ".rept %[count]\n\t"
                     "lw %[at], 0(%[at])\n\t"
                     ".endr\n\t"
                     "mv %[unused], %[at]\n\t"
                     "csrr %[end], cycle"
                     : [at] "+r"(at), [begin] "=&r"(begin), [end] "=&r"(end), [unused] "=&r"(unused)
                     : [count] "i"(MICRO_CHAIN_TIMED)
                     : "memory");
    if (thread == 0) {
        result[0] = begin;
        result[1] = end;
    }
    result[2 + thread] = at;
}
