/* SPDX-License-Identifier: MIT */
#ifndef CASCADE_CLASSIFIER_ARGS_H
#define CASCADE_CLASSIFIER_ARGS_H

#include "heddle_args.h"

enum { CASCADE_CLASSIFIER_BLOCK_X = 32, CASCADE_CLASSIFIER_BLOCK_Y = 6, CASCADE_CLASSIFIER_WINDOW = 16 };

/* In a window. */
typedef struct cascade_classifier_rectangle {
    uint32_t x, y, width, height;
} cascade_classifier_rectangle;

/* Votes by whether one rectangle is brighter than another of the same size. */
typedef struct cascade_classifier_feature {
    cascade_classifier_rectangle one, other;
    int32_t if_brighter, if_not;
} cascade_classifier_feature;

/* The votes of the features from first to the next stage's first. */
typedef struct cascade_classifier_stage {
    uint32_t first;
    int32_t threshold; /* votes without which a window is rejected */
} cascade_classifier_stage;

typedef struct cascade_classifier_args {
    hd_device_ptr sums;     /* uint32_t[rows + 1][columns + 1]: of all pixels above and to the left */
    hd_device_ptr stages;   /* cascade_classifier_stage[stage_count + 1] */
    hd_device_ptr features; /* cascade_classifier_feature[] */
    hd_device_ptr passed;   /* uint32_t[windows in y][windows in x]: stages that a window passes */
    uint32_t columns, rows; /* of the picture */
    uint32_t stage_count;
} cascade_classifier_args;
HD_ARGUMENT_BLOCK(cascade_classifier_args, 28);

#endif
