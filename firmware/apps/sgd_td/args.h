/* SPDX-License-Identifier: MIT */
#ifndef SGD_TD_ARGS_H
#define SGD_TD_ARGS_H

#include "heddle_args.h"

#define SGD_FEATURES 16u /* of a user and of an item: a thread each */
#define SGD_RATE 0.0625f
#define SGD_DECAY 0.03125f

typedef struct sgd_rating {
    uint32_t user, item;
    float value;
} sgd_rating;

/* Block b sees the ratings of item group b by user group (b + shift) % groups: no two blocks have a user or an item in common. */
typedef struct sgd_args {
    hd_device_ptr first;   /* uint32_t[groups * groups + 1]: where those of an item group by a user group begin */
    hd_device_ptr ratings; /* sgd_rating[] */
    hd_device_ptr users;   /* float[users][SGD_FEATURES] */
    hd_device_ptr items;   /* float[items][SGD_FEATURES] */
    uint32_t groups;
    uint32_t shift;
} sgd_args;
HD_ARGUMENT_BLOCK(sgd_args, 24);

/* A feature, when the error is that much: it goes with the other side's feature. */
static inline float sgd_improved(float feature, float other, float error)
{
    return feature + SGD_RATE * (error * other - SGD_DECAY * feature);
}

#endif
