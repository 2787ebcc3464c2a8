/* SPDX-License-Identifier: MIT */
#include "vec_image.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_LINES 64u
#define PAGE_BYTES (PAGE_LINES * VEC_LINE_BYTES)

struct vec_image_page {
    uint8_t bytes[PAGE_LINES][VEC_LINE_BYTES];
    uint64_t known[PAGE_LINES];
};

void vec_image_destroy(vec_image *image)
{
    for (uint32_t i = 0; i < image->page_count; i++)
        free(image->pages[i]);
    free(image->pages);
    *image = (vec_image){0};
}

uint32_t vec_image_reset(vec_image *image, uint32_t base, uint32_t bytes)
{
    vec_image_destroy(image);
    image->base = base & ~(VEC_LINE_BYTES - 1);
    image->page_count = (uint32_t)(((uint64_t)bytes + (base - image->base) + PAGE_BYTES - 1) / PAGE_BYTES);
    image->pages = calloc(image->page_count, sizeof *image->pages);
    if (!image->pages)
        image->page_count = 0;
    return image->pages != NULL;
}

static uint32_t line_of(const vec_image *image, uint32_t line)
{
    return (line - image->base) / VEC_LINE_BYTES % PAGE_LINES;
}

static vec_image_page *page_of(vec_image *image, uint32_t line)
{
    vec_image_page **page = &image->pages[(line - image->base) / PAGE_BYTES];
    if (!*page)
        *page = calloc(1, sizeof **page);
    return *page;
}

const uint8_t *vec_image_line(const vec_image *image, uint32_t line)
{
    const vec_image_page *page = image->pages[(line - image->base) / PAGE_BYTES];
    const uint32_t at = line_of(image, line);
    return page && page->known[at] == UINT64_MAX ? page->bytes[at] : NULL;
}

uint32_t vec_image_come(vec_image *image, uint32_t line, const uint8_t *bytes, uint64_t late)
{
    vec_image_page *page = page_of(image, line);
    const uint32_t at = line_of(image, line);
    for (uint32_t i = 0; page && i < VEC_LINE_BYTES; i++) {
        if (late >> i & 1)
            continue;
        if ((page->known[at] >> i & 1) && page->bytes[at][i] != bytes[i])
            return 0;
        page->bytes[at][i] = bytes[i];
    }
    if (page)
        page->known[at] = UINT64_MAX;
    return page != NULL;
}

uint32_t vec_image_store(vec_image *image, uint32_t line, const uint8_t *bytes, uint64_t enabled)
{
    vec_image_page *page = page_of(image, line);
    const uint32_t at = line_of(image, line);
    for (uint32_t i = 0; page && i < VEC_LINE_BYTES; i++)
        if (enabled >> i & 1)
            page->bytes[at][i] = bytes[i];
    if (page)
        page->known[at] |= enabled;
    return page != NULL;
}

/* Pages that are there. */
static void transfer_page(vec_image_page **page, const hd_state_stream *stream)
{
    if (!hd_state_number(stream, *page != NULL))
        return;
    if (!*page && !(*page = calloc(1, sizeof **page)))
        abort();
    HD_STATE_VALUE(stream, **page);
}

void vec_image_transfer(vec_image *image, const hd_state_stream *stream)
{
    const uint32_t base = (uint32_t)hd_state_number(stream, image->base);
    const uint32_t count = (uint32_t)hd_state_number(stream, image->page_count);
    if (stream->is_restored && count && !vec_image_reset(image, base, (uint32_t)((uint64_t)count * PAGE_BYTES - 1)))
        abort();
    for (uint32_t i = 0; i < count; i++)
        transfer_page(&image->pages[i], stream);
}
