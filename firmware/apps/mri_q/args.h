/* SPDX-License-Identifier: MIT */
#ifndef MRI_Q_ARGS_H
#define MRI_Q_ARGS_H

#include "heddle_args.h"

/* A wave: how often it turns in a unit of x, y and z, and how high it is. */
typedef struct mri_q_sample {
    float x, y, z, height;
} mri_q_sample;

typedef struct mri_q_args {
    hd_device_ptr x, y, z; /* float[points] */
    hd_device_ptr samples; /* mri_q_sample[sample_count] */
    hd_device_ptr cosines; /* float[points]: sums */
    hd_device_ptr sines;
    uint32_t points, sample_count;
} mri_q_args;
HD_ARGUMENT_BLOCK(mri_q_args, 32);

typedef struct mri_q_sum {
    float cosine, sine;
} mri_q_sum;

/* What is left of an angle, in turns, beyond whole ones: -1/2 to 1/2. */
static inline float mri_q_rest(float turns)
{
    return turns - (float)(int32_t)(turns < 0 ? turns - 0.5f : turns + 0.5f);
}

/* Taylor's series at 0, of 2 pi times the rest. Good to a few thousandths at its ends. */
static inline void mri_q_add(const mri_q_sample *sample, float x, float y, float z, mri_q_sum *sum)
{
    const float rest = mri_q_rest(sample->x * x + sample->y * y + sample->z * z);
    const float square = rest * rest;
    const float sine =
        rest *
        (6.2831853f +
         square * (-41.341702f +
                   square * (81.605249f + square * (-76.705860f + square * (42.058694f + square * -15.094643f)))));
    const float cosine =
        1.0f +
        square *
            (-19.739209f +
             square * (64.939394f +
                       square * (-85.456817f + square * (60.244641f + square * (-26.426257f + square * 7.9035364f)))));
    sum->cosine += sample->height * cosine;
    sum->sine += sample->height * sine;
}

#endif
