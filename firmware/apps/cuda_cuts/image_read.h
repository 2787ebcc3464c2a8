/* SPDX-License-Identifier: MIT */
/*
 * An image from a file: numbers with white space between them. Width, height, 2 labels; the true label of each pixel, row by
 * row; for each label the cost of each pixel; links to the right, width - 1 in a row; links down, height - 1 rows.
 */
#ifndef CUDA_CUTS_IMAGE_READ_H
#define CUDA_CUTS_IMAGE_READ_H

#include "image.h"
#ifndef __riscv
#include <stdio.h>
#include <stdlib.h>

typedef struct image_file {
    const char *path;
    FILE *file;
    uint64_t numbers; /* read so far */
} image_file;

static inline uint32_t image_read_number(image_file *f, const char *what, uint32_t least, uint32_t most)
{
    char text[24], *end;
    hd_check(fscanf(f->file, "%23s", text) == 1, "%s ends after %llu numbers, where %s should be", f->path,
             (unsigned long long)f->numbers, what);
    f->numbers++;
    unsigned long long number = strtoull(text, &end, 10);
    hd_check(*text >= '0' && *text <= '9' && !*end && number >= least && number <= most,
             "%s: number %llu, %s, is '%s'; it must be %u to %u", f->path, (unsigned long long)f->numbers, what, text,
             least, most);
    return (uint32_t)number;
}

static inline image image_read(const char *path)
{
    image_file f = {.path = path, .file = fopen(path, "r")};
    hd_check(f.file, "%s cannot be read", path);
    uint32_t width = image_read_number(&f, "the width", 1, IMAGE_SIDE_MAX);
    uint32_t height = image_read_number(&f, "the height", 1, IMAGE_SIDE_MAX);
    image_read_number(&f, "the number of labels", 2, 2);
    image m = image_new(width, height);
    uint32_t pixels = image_pixels(&m);
    for (uint32_t i = 0; i < pixels; i++)
        image_read_number(&f, "a true label", 0, IMAGE_COST_MAX);
    for (uint32_t i = 0; i < pixels; i++)
        m.source[i] = image_read_number(&f, "a cost of the first label", 0, IMAGE_COST_MAX);
    for (uint32_t i = 0; i < pixels; i++) {
        uint32_t first = m.source[i], second = image_read_number(&f, "a cost of the second label", 0, IMAGE_COST_MAX);
        m.source[i] = first > second ? first - second : 0;
        m.sink[i] = second > first ? second - first : 0;
    }
    for (uint32_t i = 0; i < pixels; i++)
        if (i % width + 1 < width)
            m.right[i] = image_read_number(&f, "a link to the right", 0, IMAGE_COST_MAX);
    for (uint32_t i = 0; i < pixels - width; i++)
        m.down[i] = image_read_number(&f, "a link down", 0, IMAGE_COST_MAX);
    int is_at_end = fscanf(f.file, " %*c") == EOF;
    hd_check(is_at_end, "%s goes on after %llu numbers, which are all of its image of %u x %u pixels", path,
             (unsigned long long)f.numbers, width, height);
    fclose(f.file);
    return m;
}
#else
static inline image image_read(const char *path)
{
    hd_fail("%s: firmware has no files", path);
}
#endif

#endif
