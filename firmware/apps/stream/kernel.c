/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(stream, const stream_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->n)
        return;
    const uint32_t *a = HD_POINTER(const uint32_t, args->a);
    const uint32_t *b = HD_POINTER(const uint32_t, args->b);
    uint32_t *c = HD_POINTER(uint32_t, args->c);
    c[i] = a[i] + 3 * b[i] + i;
}
