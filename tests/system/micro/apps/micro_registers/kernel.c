/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Twelve destinations in turn, none of them a source. */
#define ONE(to, operation, sources) operation " f" #to ", " sources "\n\t"
#define TIMED(operation, sources)                                                                                      \
    __asm__ volatile("csrr %[begin], cycle\n\t"                                                                        \
                     ".rept 20\n\t" ONE(9, operation, sources) ONE(10, operation, sources)                             \
                         ONE(11, operation, sources) ONE(12, operation, sources) ONE(13, operation, sources)           \
                             ONE(14, operation, sources) ONE(15, operation, sources) ONE(17, operation, sources)       \
                                 ONE(18, operation, sources) ONE(19, operation, sources)                               \
                                     ONE(20, operation, sources) ONE(21, operation, sources) ".endr\n\t"               \
                     "csrr %[end], cycle"                                                                              \
                     : [begin] "=&r"(begin), [end] "=&r"(end)                                                          \
                     :                                                                                                 \
                     : "f0", "f1", "f2", "f4", "f8", "f9", "f10", "f11", "f12", "f13", "f14", "f15", "f16", "f17",     \
                       "f18", "f19", "f20", "f21")

/* Twice: the second time the code is in the cache. */
SIMT_KERNEL(micro_registers, const micro_registers_args *args)
{
    uint32_t begin = 0, end = 0;
    for (uint32_t round = 0; round < 2; round++) {
        switch (args->sources) {
        case MICRO_FMA_APART: TIMED("fmadd.s", "f0, f1, f2"); break;
        case MICRO_FMA_TWO: TIMED("fmadd.s", "f0, f2, f4"); break;
        case MICRO_FMA_FOUR: TIMED("fmadd.s", "f0, f4, f8"); break;
        case MICRO_MUL_APART: TIMED("fmul.s", "f0, f1"); break;
        case MICRO_MUL_TWO: TIMED("fmul.s", "f0, f2"); break;
        case MICRO_MUL_FOUR: TIMED("fmul.s", "f0, f4"); break;
        default: TIMED("fmul.s", "f0, f16"); break;
        }
    }
    if (simt_global_index() == 0) {
        uint32_t *result = HD_POINTER(uint32_t, args->result);
        result[0] = begin;
        result[1] = end;
    }
}
