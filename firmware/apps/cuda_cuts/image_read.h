/* SPDX-License-Identifier: MIT */
/*
 * An image from a file: numbers with white space between them. Width, height, 2 labels; the true label of each pixel, row by
 * row; for each label the cost of each pixel; links to the right, width - 1 in a row; links down, height - 1 rows.
 */
#ifndef CUDA_CUTS_IMAGE_READ_H
#define CUDA_CUTS_IMAGE_READ_H

#include "common/host_input.h"
#include "image.h"

#ifndef __riscv
static inline image image_read(const char *path)
{
    host_input f = host_input_open(path, HOST_INPUT_DECIMALS);
    uint32_t width = host_input_number(&f, "the width", 1, IMAGE_SIDE_MAX);
    uint32_t height = host_input_number(&f, "the height", 1, IMAGE_SIDE_MAX);
    host_input_number(&f, "the number of labels", 2, 2);
    image m = image_new(width, height);
    uint32_t pixels = image_pixels(&m);
    for (uint32_t i = 0; i < pixels; i++)
        host_input_number(&f, "a true label", 0, IMAGE_COST_MAX);
    for (uint32_t i = 0; i < pixels; i++)
        m.source[i] = host_input_number(&f, "a cost of the first label", 0, IMAGE_COST_MAX);
    for (uint32_t i = 0; i < pixels; i++) {
        uint32_t first = m.source[i], second = host_input_number(&f, "a cost of the second label", 0, IMAGE_COST_MAX);
        m.source[i] = first > second ? first - second : 0;
        m.sink[i] = second > first ? second - first : 0;
    }
    for (uint32_t i = 0; i < pixels; i++)
        if (i % width + 1 < width)
            m.right[i] = host_input_number(&f, "a link to the right", 0, IMAGE_COST_MAX);
    for (uint32_t i = 0; i < pixels - width; i++)
        m.down[i] = host_input_number(&f, "a link down", 0, IMAGE_COST_MAX);
    uint64_t all = f.numbers, more;
    hd_check(!host_input_next(&f, &more), "%s goes on after %llu numbers, which are all of its image of %u x %u pixels",
             path, (unsigned long long)all, width, height);
    host_input_close(&f);
    return m;
}
#else
static inline image image_read(const char *path)
{
    hd_fail("%s: firmware has no files", path);
}
#endif

#endif
