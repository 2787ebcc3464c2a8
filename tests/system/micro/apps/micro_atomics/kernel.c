/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Each addition is of 0, which the one before it returned: the word stays what it is. */
SIMT_INLINE void time_chain(uint32_t *result, uintptr_t at)
{
    uint32_t begin, end, unused, v = 0;
    /* The first brings the line into the slice. */
    __asm__ volatile("amoadd.w %[v], %[v], (%[at])\n\t"
                     "mv %[unused], %[v]\n\t"
                     "csrr %[begin], cycle\n\t"
                     ".rept %[count]\n\t"
                     "amoadd.w %[v], %[v], (%[at])\n\t"
                     ".endr\n\t"
                     "mv %[unused], %[v]\n\t"
                     "csrr %[end], cycle"
                     : [v] "+r"(v), [begin] "=&r"(begin), [end] "=&r"(end), [unused] "=&r"(unused)
                     : [at] "r"(at), [count] "i"(MICRO_ATOMICS_CHAIN)
                     : "memory");
    result[0] = begin;
    result[1] = end;
}

SIMT_KERNEL(micro_atomics, const micro_atomics_args *args)
{
    uint32_t lane = simt_lane(), warp = simt_global_index() / args->lanes;
    uintptr_t at = args->start.address + warp % args->places * args->place_stride + lane * args->lane_stride;
    if (args->rounds == 0) {
        time_chain(HD_POINTER(uint32_t, args->result), at);
        return;
    }
    /* Nobody wants the values. */
    for (uint32_t left = args->rounds; left != 0; left--)
        __asm__ volatile(".rept 4\n\tamoadd.w zero, %[one], (%[at])\n\t.endr"
                         :
                         : [at] "r"(at), [one] "r"(1)
                         : "memory");
}
