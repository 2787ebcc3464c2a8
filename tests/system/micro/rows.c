/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW, COLUMN, BANK, GROUP, FIELDS, WORDS_MAX = 16 };

static uint32_t log_of(uint32_t power)
{
    uint32_t bits = 0;
    while (1u << bits < power)
        bits++;
    return bits;
}

/* Takes the bits of one word, such as "column[10..8]", from the low end of the address. */
static uint64_t take(const char *word, const uint32_t bits[FIELDS], uint64_t fields[FIELDS], uint64_t offset)
{
    static const char *const names[FIELDS] = {"row", "column", "bank", "bank_group"};
    uint32_t field = 0, high, low;
    const size_t length = strcspn(word, "[^");
    while (field < FIELDS && (strlen(names[field]) != length || strncmp(word, names[field], length) != 0))
        field++;
    cr_assert(field < FIELDS && !strchr(word, '^'), "'%s'", word);
    if (sscanf(word + length, "[%u..%u]", &high, &low) != 2) {
        high = bits[field] - 1;
        if (sscanf(word + length, "[..%u]", &low) != 1)
            low = 0;
        if (sscanf(word + length, "[%u]", &low) == 1)
            high = low;
    }
    const uint32_t width = high + 1 - low;
    fields[field] |= (width >= 64 ? offset : offset & ((UINT64_C(1) << width) - 1)) << low;
    return width >= 64 ? 0 : offset >> width;
}

place_in_rows rows_place(const char *mapping, const row_shape *shape, uint64_t offset)
{
    const uint32_t bits[FIELDS] = {64, log_of(shape->row_bytes), log_of(shape->banks / shape->groups),
                                   log_of(shape->groups)};
    uint64_t fields[FIELDS] = {0};
    char text[256], *words[WORDS_MAX], *rest = text;
    uint32_t count = 0;
    snprintf(text, sizeof text, "%s", mapping);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        cr_assert_lt(count, WORDS_MAX);
        words[count++] = word;
    }
    while (count-- > 0)
        offset = take(words[count], bits, fields, offset);
    return (place_in_rows){fields[ROW], (uint32_t)(fields[BANK] * shape->groups + fields[GROUP])};
}
