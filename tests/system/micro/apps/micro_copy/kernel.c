/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(micro_copy, const micro_copy_args *args)
{
    const uint32_t step = simt_block_size_x(), operation = args->operation;
    const uint32_t *a = HD_POINTER(const uint32_t, args->a), *b = HD_POINTER(const uint32_t, args->b);
    uint32_t *c = HD_POINTER(uint32_t, args->c);
    uint32_t sum = 0;
    const uint32_t i = simt_block_x() * MICRO_COPY_UNROLLED * step + simt_thread_x();
    uint32_t v[MICRO_COPY_UNROLLED] = {7, 7, 7, 7};
    if (operation != MICRO_WRITE) {
        v[0] = a[i];
        v[1] = a[i + step];
        v[2] = a[i + 2 * step];
        v[3] = a[i + 3 * step];
    }
    if (operation == MICRO_TRIAD) {
        v[0] += 3 * b[i];
        v[1] += 3 * b[i + step];
        v[2] += 3 * b[i + 2 * step];
        v[3] += 3 * b[i + 3 * step];
    }
    if (operation == MICRO_READ) {
        sum = v[0] + v[1] + v[2] + v[3];
    } else {
        c[i] = v[0];
        c[i + step] = v[1];
        c[i + 2 * step] = v[2];
        c[i + 3 * step] = v[3];
    }
    if (sum != 0) /* never */
        HD_POINTER(uint32_t, args->sums)[simt_global_index()] = sum;
}
