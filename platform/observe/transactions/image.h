/* SPDX-License-Identifier: MIT */
/* What the slices have shown of memory, and of each word whether it was written since the interval began. */
#ifndef TRANSACTIONS_IMAGE_H
#define TRANSACTIONS_IMAGE_H

#include <stdint.h>

#include "hd_message.h"

#define IMAGE_WORDS (HD_LINE_BYTES / 4u)

struct image_line;
typedef struct image {
    struct image_line *lines; /* by address */
    uint32_t interval;
} image;

/* What one word is known to be. */
typedef struct image_word {
    uint32_t is_known_before; /* its value when the interval began */
    uint32_t before;
    uint32_t is_known; /* its value now */
    uint32_t now;
    uint32_t is_plain; /* written by a plain access in the interval */
} image_word;

void image_clear(image *image);
void image_begin_interval(image *image);
/* These words of the line at `address` (a multiple of HD_LINE_BYTES) were written, and the line is now this. */
void image_write(image *image, uint64_t address, const uint8_t *line, uint32_t words, uint32_t is_plain);
/* These words were read. Returns those that are not what was written last. */
uint32_t image_read(image *image, uint64_t address, const uint8_t *line, uint32_t words);
image_word image_find(const image *image, uint64_t word_address);

#endif
