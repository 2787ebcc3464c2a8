/* SPDX-License-Identifier: MIT */
/* Entries that a compiler lets save registers for their caller, which they do not have. Nothing here is run. */
#include "simt.h"
#include "simt_synchronization.h"

__attribute__((noinline)) static uint32_t mix(uint32_t a, uint32_t b)
{
    return (a ^ b) * 0x9E3779B9u;
}

__attribute__((noinline)) static float mix_floats(float a, float b)
{
    return a * 0.5f + b;
}

SIMT_KERNEL(after_early_return, uint32_t *words)
{
    uint32_t i = simt_global_index();
    if (i >= words[0])
        return;
    for (uint32_t k = 0; k < words[1]; k++)
        words[k] = mix(words[k], i);
}
SIMT_NO_ALIAS(after_early_return); /* a mark is no call */

SIMT_KERNEL(floats_across_a_call, float *values)
{
    float sum = values[0], product = values[1];
    for (uint32_t k = 0; k < 100; k++) {
        sum += mix_floats(sum, values[k]);
        product *= sum;
    }
    values[2] = sum + product;
}

SIMT_KERNEL(frame_beyond_an_offset, uint32_t *words)
{
    volatile uint32_t local[1500];
    uint32_t sum = words[0], last = words[1];
    for (uint32_t k = 0; k < 1500; k++)
        local[k] = mix(sum, last);
    for (uint32_t k = 0; k < 1500; k++)
        sum += mix(local[k], last);
    words[2] = sum;
}

SIMT_KERNEL(frame_without_a_size, uint32_t *words)
{
    volatile uint32_t local[words[0]];
    for (uint32_t k = 0; k < words[0]; k++)
        local[k] = mix(words[k], k);
    for (uint32_t k = 0; k < words[0]; k++)
        words[k] = local[words[0] - 1 - k];
}

SIMT_KERNEL(many_at_once, uint32_t *words)
{
    uint32_t v[20];
    for (uint32_t k = 0; k < 20; k++)
        v[k] = words[k];
    for (uint32_t round = 0; round < words[20]; round++)
        for (uint32_t k = 0; k < 20; k++)
            v[k] = v[k] * v[(k + 7) % 20] + v[(k + 3) % 20];
    for (uint32_t k = 0; k < 20; k++)
        words[k] = v[k];
}
