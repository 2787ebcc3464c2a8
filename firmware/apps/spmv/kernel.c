/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* A row per thread: lanes whose rows are long keep the others waiting, and no load of the matrix is coalesced. */
SIMT_KERNEL(spmv, const spmv_args *args)
{
    uint32_t row = simt_global_index();
    if (row >= args->rows)
        return;
    const uint32_t *first = HD_POINTER(const uint32_t, args->first);
    const uint32_t *columns = HD_POINTER(const uint32_t, args->columns);
    const float *values = HD_POINTER(const float, args->values);
    const float *x = HD_POINTER(const float, args->x);

    float sum = 0;
    uint32_t end = first[row + 1];
#pragma GCC unroll 1
    for (uint32_t i = first[row]; i < end; i++)
        sum = __builtin_fmaf(values[i], x[columns[i]], sum);
    HD_POINTER(float, args->y)[row] = sum;
}
