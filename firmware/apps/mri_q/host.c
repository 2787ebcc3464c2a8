/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static float *draw(uint32_t count, uint64_t *random)
{
    float *values = hd_host_alloc(count * sizeof *values);
    for (uint32_t i = 0; i < count; i++)
        values[i] = host_random_float(random);
    return values;
}

int hd_app_main(void)
{
    const uint32_t points = host_option("points", 4096, 1, 1u << 22), samples = host_option("samples", 64, 1, 1u << 16);
    const uint32_t block = host_option("block", 256, 1, 1024), launches = host_option("launches", 1, 1, 1u << 16);
    uint64_t random = hd_option("seed", 1);
    const size_t bytes = points * sizeof(float);
    const float *x = draw(points, &random), *y = draw(points, &random), *z = draw(points, &random);
    mri_q_sample *waves = hd_host_alloc(samples * sizeof *waves);
    for (uint32_t k = 0; k < samples; k++)
        waves[k] = (mri_q_sample){host_random_float(&random), host_random_float(&random), host_random_float(&random),
                                  host_random_float(&random)};
    const mri_q_args args = {.x = host_upload(x, bytes),
                             .y = host_upload(y, bytes),
                             .z = host_upload(z, bytes),
                             .samples = host_upload(waves, samples * sizeof *waves),
                             .cosines = host_poisoned(bytes),
                             .sines = host_poisoned(bytes),
                             .points = points,
                             .sample_count = samples};
    for (uint32_t i = 0; i < launches; i++)
        hd_wait(host_launch("mri_q", host_blocks(points, block), hd_1d(block), 0, &args, sizeof args));
    const float *cosines = host_download(args.cosines, bytes), *sines = host_download(args.sines, bytes);
    for (uint32_t i = 0; i < points; i++) {
        mri_q_sum sum = {0, 0};
        for (uint32_t k = 0; k < samples; k++)
            mri_q_add(&waves[k], x[i], y[i], z[i], &sum);
        host_check_float("cosines", i, cosines[i], sum.cosine);
        host_check_float("sines", i, sines[i], sum.sine);
    }
    hd_report("waves", (uint64_t)points * samples * launches);
    return HD_PASS;
}
