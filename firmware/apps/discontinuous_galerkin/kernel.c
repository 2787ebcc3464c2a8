/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* A node per thread in x, an element in y. All that is read is a texture. The scratchpad has the fields of the block's elements, and their jumps behind them. */
SIMT_KERNEL(discontinuous_galerkin, const discontinuous_galerkin_args *args)
{
    uint32_t nodes = args->nodes, faces = args->faces, node = simt_thread_x(), own = simt_thread_y();
    uint32_t element = simt_block_x() * simt_block_size_y() + own, inner = nodes - faces;
    const float *field = HD_POINTER(const float, args->field);
    float *values = (float *)simt_scratchpad + own * nodes;
    float *jumps = (float *)simt_scratchpad + simt_block_size_y() * nodes + own * faces;
    if (element < args->elements) {
        float value = simt_load_texture_float(field + element * nodes + node);
        values[node] = value;
        if (node >= inner) {
            uint32_t face = node - inner;
            uint32_t beyond = simt_load_texture(HD_POINTER(const uint32_t, args->neighbours) + element * faces + face);
            jumps[face] = simt_load_texture_float(field + beyond) - value;
        }
    }
    simt_barrier();
    if (element >= args->elements)
        return;

    const float *derivative = HD_POINTER(const float, args->derivative) + node;
    const float *lift = HD_POINTER(const float, args->lift) + node;
    float rate = 0;
#pragma GCC unroll 1
    for (uint32_t from = 0; from < nodes; from++) {
        rate += simt_load_texture_float(derivative) * values[from];
        derivative += nodes;
    }
#pragma GCC unroll 1
    for (uint32_t face = 0; face < faces; face++) {
        rate += simt_load_texture_float(lift) * jumps[face];
        lift += nodes;
    }
    HD_POINTER(float, args->rates)[element * nodes + node] = rate;
}
