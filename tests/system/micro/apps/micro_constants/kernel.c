/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

#define LOAD(n) "lw %" #n ", 0(%[at])\n\t"

/* Eight registers in turn, and nothing but loads. */
SIMT_KERNEL(micro_constants, const micro_constants_args *args)
{
    uint32_t v[8], left = args->rounds;
    do {
        __asm__ volatile(".rept 16\n\t" LOAD(0) LOAD(1) LOAD(2) LOAD(3) LOAD(4) LOAD(5) LOAD(6) LOAD(7) ".endr"
                         : "=&r"(v[0]), "=&r"(v[1]), "=&r"(v[2]), "=&r"(v[3]), "=&r"(v[4]), "=&r"(v[5]), "=&r"(v[6]),
                           "=&r"(v[7])
                         : [at] "r"(&args->word)
                         : "memory");
    } while (--left != 0);
    HD_POINTER(uint32_t, args->result)
    [simt_global_index()] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
}
