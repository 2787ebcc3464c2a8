/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* The product of two vectors of features, by a tree in the scratchpad; and the error, a word behind it. */
static float error_of(float product, float rating)
{
    float *terms = (float *)simt_scratchpad;
    const uint32_t feature = simt_thread_x();
    terms[feature] = product;
    for (uint32_t half = SGD_FEATURES / 2; half > 0; half /= 2) {
        simt_barrier();
        if (feature < half)
            terms[feature] += terms[feature + half];
    }
    if (feature == 0)
        terms[SGD_FEATURES] = rating - terms[0];
    simt_barrier();
    return terms[SGD_FEATURES];
}

SIMT_KERNEL(sgd_step, const sgd_args *args)
{
    const uint32_t *first = HD_POINTER(const uint32_t, args->first);
    const sgd_rating *ratings = HD_POINTER(const sgd_rating, args->ratings);
    const uint32_t feature = simt_thread_x(), group = simt_block_x();
    const uint32_t tile = group * args->groups + (group + args->shift) % args->groups;
    const uint32_t end = first[tile + 1];
    for (uint32_t i = first[tile]; i < end; i++) {
        float *user = HD_POINTER(float, args->users) + ratings[i].user * SGD_FEATURES + feature;
        float *item = HD_POINTER(float, args->items) + ratings[i].item * SGD_FEATURES + feature;
        const float of_user = *user, of_item = *item;
        const float error = error_of(of_user * of_item, ratings[i].value);
        *user = sgd_improved(of_user, of_item, error);
        *item = sgd_improved(of_item, of_user, error);
    }
}
