/* SPDX-License-Identifier: MIT */
/*
 * Inputs and weights are such that floats hold the sums of 16 products exactly: the reference adds them one after the other,
 * the kernel as a tree.
 */
#include "args.h"
#include "common/host_check.h"

enum { UNITS = BACK_PROPAGATION_UNITS };

static float *random_floats(uint32_t count, uint64_t *random)
{
    float *values = hd_host_alloc(count * sizeof *values);
    for (uint32_t i = 0; i < count; i++)
        values[i] = host_random_float(random);
    return values;
}

/* What is wrong with a hidden unit, between -1 and 1: by how far it is from its target, which is 0. */
static float error_of(float sum)
{
    return -sum / (1 + (sum < 0 ? -sum : sum));
}

static void check_sums(const float *got, const float *inputs, const float *weights, uint32_t count, float errors[UNITS])
{
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        float all = 0;
        for (uint32_t block = 0; block < count / UNITS; block++) {
            float sum = 0;
            for (uint32_t input = block * UNITS; input < (block + 1) * UNITS; input++)
                sum += inputs[input] * weights[input * UNITS + unit];
            host_check_float("sums", block * UNITS + unit, got[block * UNITS + unit], sum);
            all += sum;
        }
        errors[unit] = error_of(all);
    }
}

static void check_weights(const back_propagation_args *args, const float *inputs, const float *weights,
                          const float *changes, uint32_t count, const float errors[UNITS])
{
    const float *new_weights = host_download(args->weights, count * UNITS * sizeof(float));
    const float *new_changes = host_download(args->changes, count * UNITS * sizeof(float));
    for (uint32_t i = 0; i < count * UNITS; i++) {
        float slope = errors[i % UNITS] * inputs[i / UNITS];
        float change = BACK_PROPAGATION_RATE * slope + BACK_PROPAGATION_MOMENTUM * changes[i];
        host_check_float("changes", i, new_changes[i], change);
        host_check_float("weights", i, new_weights[i], weights[i] + change);
    }
}

int hd_app_main(void)
{
    uint32_t count = host_option("inputs", 512, UNITS, 1u << 20);
    uint64_t random = hd_option("seed", 1);
    hd_check(count % UNITS == 0, "option inputs is %u; it must be a multiple of %u", count, UNITS);

    const float *inputs = random_floats(count, &random), *weights = random_floats(count * UNITS, &random);
    const float *changes = random_floats(count * UNITS, &random);
    size_t bytes = count * sizeof(float);
    back_propagation_args args = {.inputs = host_upload(inputs, bytes),
                                  .weights = host_upload(weights, UNITS * bytes),
                                  .sums = host_poisoned(bytes),
                                  .changes = host_upload(changes, UNITS * bytes)};
    hd_dim3 grid = hd_1d(count / UNITS), block = hd_2d(UNITS, UNITS);
    host_launch("back_propagation_forward", grid, block, (UNITS + 1) * UNITS * sizeof(float), &args, sizeof args);

    float errors[UNITS];
    check_sums(host_download(args.sums, bytes), inputs, weights, count, errors);
    args.errors = host_upload(errors, sizeof errors);
    host_launch("back_propagation_adjust", grid, block, 0, &args, sizeof args);
    check_weights(&args, inputs, weights, changes, count, errors);
    hd_report("weights", count * UNITS);
    return HD_PASS;
}
