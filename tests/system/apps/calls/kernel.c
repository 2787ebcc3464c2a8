/* SPDX-License-Identifier: MIT */
/* Entries that call, and one that is called. */
#include "args.h"
#include "simt.h"
#include "work.h"

#define KERNEL(name, work)                                                                                             \
    SIMT_KERNEL(name, const calls_args *args)                                                                          \
    {                                                                                                                  \
        uint32_t n = args->n, threads = simt_global_size();                                                            \
        for (uint32_t i = simt_global_index(); i < n; i += threads)                                                    \
            HD_POINTER(uint32_t, args->out)[i] = work(HD_POINTER(const uint32_t, args->in)[i]);                        \
    }

KERNEL(wide, work_wide)
KERNEL(called, work_wide)
KERNEL(in_library, work_in_library)
KERNEL(on_stack, work_on_stack)

/* Special functions where their values are whole numbers. */
static uint32_t special(uint32_t seed)
{
    const float k = (float)(seed % 16), x = simt_fast_exp2(k), zero = k - k;
    const float sum = simt_fast_log2(x) + x * simt_fast_reciprocal(x) + simt_fast_square_root(x * x) +
                      x * simt_fast_reciprocal_root(x * x) + simt_fast_sine(zero) + simt_fast_cosine(zero) +
                      simt_fast_divide(x, x) + simt_fast_power(x, 1) + simt_fast_exp(zero) + simt_fast_log(zero + 1);
    return (uint32_t)sum;
}

KERNEL(specials, special)

/* A register that an entry does not save holds a value of its own, which it stores to the stack. */
SIMT_KERNEL(spills, const calls_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->n)
        return;
    register uint32_t kept __asm__("s5") = HD_POINTER(const uint32_t, args->in)[i];
    volatile uint32_t spilled;
    __asm__ volatile("" : "+r"(kept));
    spilled = kept;
    kept = work_mix(kept, 1);
    __asm__ volatile("" : "+r"(kept));
    HD_POINTER(uint32_t, args->out)[i] = spilled ^ kept;
}

/* Calls another kernel, which then is to return here, and its own values are to outlive it. */
SIMT_KERNEL(calls_a_kernel, const calls_args *args)
{
    uint32_t i = simt_global_index(), before = work_mix(i, args->n);
    called(args);
    if (i < args->n)
        HD_POINTER(uint32_t, args->out)[i] ^= before ^ work_mix(i, args->n);
}
