/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Pixels in a rectangle, by the four corners of the sums. */
SIMT_INLINE uint32_t brightness(const uint32_t *sums, uint32_t stride, const cascade_classifier_rectangle *rectangle)
{
    const uint32_t *top = sums + rectangle->y * stride + rectangle->x;
    const uint32_t *bottom = top + rectangle->height * stride;
    return bottom[rectangle->width] - bottom[0] - top[rectangle->width] + top[0];
}

/* A window per thread. */
SIMT_KERNEL(cascade_classifier, const cascade_classifier_args *args)
{
    uint32_t x = simt_block_x() * CASCADE_CLASSIFIER_BLOCK_X + simt_thread_x();
    uint32_t y = simt_block_y() * CASCADE_CLASSIFIER_BLOCK_Y + simt_thread_y();
    uint32_t stride = args->columns + 1, windows = args->columns - CASCADE_CLASSIFIER_WINDOW + 1;
    if (x >= windows || y > args->rows - CASCADE_CLASSIFIER_WINDOW)
        return;
    const uint32_t *sums = HD_POINTER(const uint32_t, args->sums) + y * stride + x;
    const cascade_classifier_stage *stages = HD_POINTER(const cascade_classifier_stage, args->stages);
    const cascade_classifier_feature *features = HD_POINTER(const cascade_classifier_feature, args->features);

    uint32_t stage = 0;
#pragma GCC unroll 1
    for (; stage < args->stage_count; stage++) {
        int32_t votes = 0;
#pragma GCC unroll 1
        for (uint32_t i = stages[stage].first; i < stages[stage + 1].first; i++)
            votes += brightness(sums, stride, &features[i].one) > brightness(sums, stride, &features[i].other)
                         ? features[i].if_brighter
                         : features[i].if_not;
        if (votes < stages[stage].threshold)
            break;
    }
    HD_POINTER(uint32_t, args->passed)[y * windows + x] = stage;
}
