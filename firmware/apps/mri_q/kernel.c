/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Bound by float arithmetic: all threads read the same sample, which is in the L1 after the first time. */
SIMT_KERNEL(mri_q, const mri_q_args *args)
{
    const uint32_t i = simt_global_index();
    if (i >= args->points)
        return;
    const mri_q_sample *samples = HD_POINTER(const mri_q_sample, args->samples);
    const float x = HD_POINTER(const float, args->x)[i], y = HD_POINTER(const float, args->y)[i];
    const float z = HD_POINTER(const float, args->z)[i];
    mri_q_sum sum = {0, 0};
    for (uint32_t k = 0; k < args->sample_count; k++)
        mri_q_add(&samples[k], x, y, z, &sum);
    HD_POINTER(float, args->cosines)[i] = sum.cosine;
    HD_POINTER(float, args->sines)[i] = sum.sine;
}
