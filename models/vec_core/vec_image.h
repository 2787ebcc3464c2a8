/* SPDX-License-Identifier: MIT */
/*
 * What a core has seen of its thread's memory: lines that came, and bytes that were stored. Nobody else writes there, so that a load which
 * waits for a line that has been here before is known to bring these bytes, and the model can go on with them as the hardware's window
 * does with its other instructions. When the line comes it is held against them: a core that went on with anything else has failed.
 */
#ifndef VEC_CORE_VEC_IMAGE_H
#define VEC_CORE_VEC_IMAGE_H

#include "hd_state.h"
#include "vec_hart.h"

typedef struct vec_image_page vec_image_page;

typedef struct vec_image {
    vec_image_page **pages;
    uint32_t page_count;
    uint32_t base;
} vec_image;

/* Of an empty memory of so many bytes from base on; what was there is forgotten. 0: out of memory. */
uint32_t vec_image_reset(vec_image *image, uint32_t base, uint32_t bytes);
void vec_image_destroy(vec_image *image);
void vec_image_transfer(vec_image *image, const hd_state_stream *stream);

/* The bytes of a line, if all are known; else NULL. */
const uint8_t *vec_image_line(const vec_image *image, uint32_t line);
/* The line has come; `late` are its bytes that were stored since it was asked for. 0: it differs from what is known, or there is no memory. */
uint32_t vec_image_come(vec_image *image, uint32_t line, const uint8_t *bytes, uint64_t late);
/* 0: out of memory. */
uint32_t vec_image_store(vec_image *image, uint32_t line, const uint8_t *bytes, uint64_t enabled);

#endif
