/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(vecadd, const vecadd_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->n)
        return;
    const float *a = HD_POINTER(const float, args->a);
    const float *b = HD_POINTER(const float, args->b);
    float *c = HD_POINTER(float, args->c);
    c[i] = a[i] + b[i];
}
