/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static float *random_floats(uint32_t count, uint64_t *random)
{
    float *values = hd_host_alloc(count * sizeof *values);
    for (uint32_t i = 0; i < count; i++)
        values[i] = host_random_float(random);
    return values;
}

/* Column after column of both matrices, for all nodes of an element at once. */
static void reference(const float *field, const float *derivative, const float *lift, const uint32_t *neighbours,
                      const discontinuous_galerkin_args *args, uint32_t element, float *rates)
{
    const float *values = field + element * args->nodes, *border = values + args->nodes - args->faces;
    memset(rates, 0, args->nodes * sizeof *rates);
    for (uint32_t column = 0; column < args->nodes + args->faces; column++) {
        uint32_t face = column - args->nodes, is_jump = column >= args->nodes;
        float value = is_jump ? field[neighbours[element * args->faces + face]] - border[face] : values[column];
        const float *of_column = is_jump ? lift + face * args->nodes : derivative + column * args->nodes;
        for (uint32_t node = 0; node < args->nodes; node++)
            rates[node] += of_column[node] * value;
    }
}

int hd_app_main(void)
{
    uint32_t elements = host_option("elements", 96, 1, 1u << 20);
    uint32_t nodes = host_option("nodes", 12, 1, 256);
    uint32_t faces = host_option("faces", 4, 1, nodes);
    uint32_t block = host_option("block", 7, 1, 1024 / nodes);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = (size_t)elements * nodes * sizeof(float);
    const float *field = random_floats(elements * nodes, &random);
    const float *derivative = random_floats(nodes * nodes, &random), *lift = random_floats(faces * nodes, &random);
    uint32_t *neighbours = hd_host_alloc((size_t)elements * faces * sizeof *neighbours);
    for (uint32_t i = 0; i < elements * faces; i++)
        neighbours[i] = host_random_below(&random, elements) * nodes + nodes - 1 - host_random_below(&random, faces);

    discontinuous_galerkin_args args = {.field = host_upload(field, bytes),
                                        .derivative = host_upload(derivative, nodes * nodes * sizeof(float)),
                                        .lift = host_upload(lift, faces * nodes * sizeof(float)),
                                        .neighbours =
                                            host_upload(neighbours, (size_t)elements * faces * sizeof *neighbours),
                                        .rates = host_poisoned(bytes),
                                        .elements = elements,
                                        .nodes = nodes,
                                        .faces = faces};
    host_launch("discontinuous_galerkin", host_blocks(elements, block), hd_2d(nodes, block),
                block * (nodes + faces) * (uint32_t)sizeof(float), &args, sizeof args);

    const float *rates = host_download(args.rates, bytes);
    float *expected = hd_host_alloc(nodes * sizeof *expected);
    for (uint32_t element = 0; element < elements; element++) {
        reference(field, derivative, lift, neighbours, &args, element, expected);
        for (uint32_t node = 0; node < nodes; node++)
            host_check_float("rates", element * nodes + node, rates[element * nodes + node], expected[node]);
    }
    hd_report("nodes", (uint64_t)elements * nodes);
    return HD_PASS;
}
