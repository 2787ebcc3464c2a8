/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

#define EIGHT(a, b, c, d, e, f, g, h)                                                                                  \
    "lw %" #a ", 0(%[at])\n\tlw %" #b ", 256(%[at])\n\tlw %" #c ", 512(%[at])\n\tlw %" #d ", 768(%[at])\n\t"           \
    "lw %" #e ", 1024(%[at])\n\tlw %" #f ", 1280(%[at])\n\tlw %" #g ", 1536(%[at])\n\tlw %" #h ", 1792(%[at])\n\t"

/* Sixteen registers in turn, and nothing but loads. A block's scratchpad is zero when it starts. */
SIMT_KERNEL(micro_reads, const micro_reads_args *args)
{
    uintptr_t start = args->start.address ? args->start.address : (uintptr_t)simt_scratchpad;
    uintptr_t at = start + simt_lane() * 4 * args->stride;
    uint32_t v[16], left = args->rounds;
    do {
        __asm__ volatile(".rept 16\n\t" EIGHT(0, 1, 2, 3, 4, 5, 6, 7) EIGHT(8, 9, 10, 11, 12, 13, 14, 15) ".endr"
                         : "=&r"(v[0]), "=&r"(v[1]), "=&r"(v[2]), "=&r"(v[3]), "=&r"(v[4]), "=&r"(v[5]), "=&r"(v[6]),
                           "=&r"(v[7]), "=&r"(v[8]), "=&r"(v[9]), "=&r"(v[10]), "=&r"(v[11]), "=&r"(v[12]),
                           "=&r"(v[13]), "=&r"(v[14]), "=&r"(v[15])
                         : [at] "r"(at)
                         : "memory");
    } while (--left != 0);
    /* No loop: an array that is indexed lives on the stack. */
    HD_POINTER(uint32_t, args->sums)
    [simt_global_index()] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] + v[8] + v[9] + v[10] + v[11] +
                            v[12] + v[13] + v[14] + v[15];
}
