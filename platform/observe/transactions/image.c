/* SPDX-License-Identifier: MIT */
#include "image.h"

#include <stdlib.h>
#include <string.h>

#define uthash_fatal(message) abort()
#include <uthash.h>

typedef struct image_line {
    uint64_t address;
    uint32_t interval; /* that `plain`, `written` and `before` are about */
    uint32_t known;
    uint32_t known_before; /* of those written */
    uint32_t written;
    uint32_t plain;
    uint32_t now[IMAGE_WORDS];
    uint32_t before[IMAGE_WORDS]; /* of those written */
    UT_hash_handle hh;
} image_line;

static image_line *find(const image *image, uint64_t address)
{
    image_line *line;
    HASH_FIND(hh, image->lines, &address, sizeof address, line);
    return line;
}

static image_line *get(image *image, uint64_t address)
{
    image_line *line = find(image, address);
    if (!line) {
        line = calloc(1, sizeof *line);
        if (!line)
            abort();
        line->address = address;
        line->interval = image->interval;
        HASH_ADD(hh, image->lines, address, sizeof line->address, line);
    }
    if (line->interval != image->interval) {
        line->interval = image->interval;
        line->written = line->plain = 0;
    }
    return line;
}

void image_clear(image *image)
{
    image_line *line, *next;
    HASH_ITER(hh, image->lines, line, next)
    {
        HASH_DEL(image->lines, line);
        free(line);
    }
}

void image_begin_interval(image *image)
{
    image->interval++;
}

void image_write(image *image, uint64_t address, const uint8_t *bytes, uint32_t words, uint32_t is_plain)
{
    image_line *line = get(image, address);
    for (uint32_t rest = words; rest; rest &= rest - 1) {
        const uint32_t word = (uint32_t)__builtin_ctz(rest), bit = 1u << word;
        if (!(line->written & bit)) {
            line->before[word] = line->now[word];
            line->known_before = (line->known_before & ~bit) | (line->known & bit);
        }
        memcpy(&line->now[word], bytes + (size_t)word * 4, 4);
    }
    line->written |= words;
    line->known |= words;
    line->plain |= is_plain ? words : 0;
}

uint32_t image_read(image *image, uint64_t address, const uint8_t *bytes, uint32_t words)
{
    image_line *line = get(image, address);
    uint32_t wrong = 0;
    for (uint32_t rest = words; rest; rest &= rest - 1) {
        const uint32_t word = (uint32_t)__builtin_ctz(rest), bit = 1u << word;
        if (!(line->known & bit))
            memcpy(&line->now[word], bytes + (size_t)word * 4, 4);
        else if (memcmp(&line->now[word], bytes + (size_t)word * 4, 4) != 0)
            wrong |= bit;
    }
    line->known |= words;
    return wrong;
}

image_word image_find(const image *image, uint64_t word_address)
{
    const uint32_t word = (uint32_t)(word_address % HD_LINE_BYTES / 4);
    const image_line *line = find(image, word_address - word_address % HD_LINE_BYTES);
    if (!line)
        return (image_word){0};
    const uint32_t is_known = line->known >> word & 1;
    const uint32_t is_written = line->interval == image->interval && line->written >> word & 1;
    return (image_word){.is_known = is_known,
                        .now = line->now[word],
                        .is_known_before = is_written ? line->known_before >> word & 1 : is_known,
                        .before = is_written ? line->before[word] : line->now[word],
                        .is_plain = line->interval == image->interval && line->plain >> word & 1};
}
