/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Twelve counters, so that the result of an addition is there before it is needed. */
SIMT_KERNEL(micro_peak, const micro_peak_args *args)
{
    uint32_t v[12] = {0};
    for (uint32_t left = args->rounds; left != 0; left--) {
        __asm__ volatile(".rept 4\n\t"
                         "addi %0, %0, 1\n\taddi %1, %1, 1\n\taddi %2, %2, 1\n\taddi %3, %3, 1\n\t"
                         "addi %4, %4, 1\n\taddi %5, %5, 1\n\taddi %6, %6, 1\n\taddi %7, %7, 1\n\t"
                         "addi %8, %8, 1\n\taddi %9, %9, 1\n\taddi %10, %10, 1\n\taddi %11, %11, 1\n\t"
                         ".endr"
                         : "+r"(v[0]), "+r"(v[1]), "+r"(v[2]), "+r"(v[3]), "+r"(v[4]), "+r"(v[5]), "+r"(v[6]),
                           "+r"(v[7]), "+r"(v[8]), "+r"(v[9]), "+r"(v[10]), "+r"(v[11]));
    }
    /* No loop: an array that is indexed lives on the stack. */
    HD_POINTER(uint32_t, args->sums)
    [simt_global_index()] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] + v[8] + v[9] + v[10] + v[11];
}
