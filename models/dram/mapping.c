/* SPDX-License-Identifier: MIT */
#include "mapping.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ROW_BITS 64u
#define LOWEST_OPEN_ROW_BIT 48u /* of the address: what is above it is row */

static const char *const names[DRAM_FIELDS] = {"row", "column", "bank", "bank_group"};

/* Bits high..low of a field, as they are written. */
struct range {
    uint32_t field;
    uint32_t low;
    uint32_t width;   /* may be 0 */
    uint32_t is_open; /* no highest bit is written */
};

struct reader {
    const char *at;
    struct dram_mapping *mapping;
    struct range ranges[DRAM_PIECES];
    uint64_t used[DRAM_FIELDS];
    char *error;
    size_t error_bytes;
};

__attribute__((format(printf, 2, 3))) static uint32_t refuse(struct reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->error, reader->error_bytes, format, arguments);
    va_end(arguments);
    return 0;
}

static uint64_t ones(uint32_t width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz_");
}

static uint32_t read_field(struct reader *reader, uint32_t *field)
{
    const size_t length = word_length(reader->at);
    for (*field = 0; *field < DRAM_FIELDS; ++*field) {
        if (length == strlen(names[*field]) && memcmp(reader->at, names[*field], length) == 0) {
            reader->at += length;
            return 1;
        }
    }
    return refuse(reader, "mapping: '%.24s' is none of row, column, bank and bank_group", reader->at);
}

/* At most two digits. */
static uint32_t read_number(struct reader *reader, uint32_t *number)
{
    const size_t length = strspn(reader->at, "0123456789");
    if (!length || length > 2)
        return 0;
    for (*number = 0; *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        *number = *number * 10 + (uint32_t)(*reader->at - '0');
    return 1;
}

static uint32_t skip(struct reader *reader, const char *text)
{
    if (strncmp(reader->at, text, strlen(text)) != 0)
        return 0;
    reader->at += strlen(text);
    return 1;
}

static uint32_t read_bits(struct reader *reader, uint32_t *high, struct range *range)
{
    const char *start = reader->at - 1;
    range->is_open = !read_number(reader, high);
    range->low = *high;
    const uint32_t has_low = skip(reader, "..");
    if ((has_low && !read_number(reader, &range->low)) || (!has_low && range->is_open) || !skip(reader, "]"))
        return refuse(reader, "mapping: '%.24s' is not [HIGH..LOW], [..LOW] or [BIT]", start);
    return 1;
}

static uint32_t read_range(struct reader *reader, struct range *range)
{
    *range = (struct range){.is_open = 1};
    if (!read_field(reader, &range->field))
        return 0;
    const uint32_t bits = reader->mapping->bits[range->field];
    const char *name = names[range->field];
    uint32_t high = bits;
    range->width = bits;
    if (!skip(reader, "["))
        return 1;
    if (!read_bits(reader, &high, range))
        return 0;
    if (range->is_open && range->low <= bits) {
        range->width = bits - range->low;
        return 1;
    }
    if (range->is_open)
        return refuse(reader, "mapping: there is no bit %u of %s, which has %u", range->low, name, bits);
    if (high < range->low)
        return refuse(reader, "mapping: %s[%u..%u] does not go from a higher bit to a lower one", name, high,
                      range->low);
    if (high >= bits)
        return refuse(reader, "mapping: there is no bit %u of %s, which has %u", high, name, bits);
    range->width = high - range->low + 1;
    return 1;
}

static uint32_t read_hash(struct reader *reader, const struct range *range)
{
    struct range row;
    struct dram_mapping *mapping = reader->mapping;
    if (range->field != DRAM_BANK && range->field != DRAM_BANK_GROUP)
        return refuse(reader, "mapping: only bank and bank_group take an exclusive or, not %s", names[range->field]);
    if (!read_range(reader, &row))
        return 0;
    if (row.field != DRAM_ROW)
        return refuse(reader, "mapping: the exclusive or of %s is with bits of row, not of %s", names[range->field],
                      names[row.field]);
    if (row.width < range->width || (!row.is_open && row.width != range->width))
        return refuse(reader, "mapping: the exclusive or of %u bits of %s with %u of row", range->width,
                      names[range->field], row.width);
    if (mapping->hash_count == DRAM_PIECES)
        return refuse(reader, "mapping has more than %u exclusive ors", DRAM_PIECES);
    mapping->hashes[mapping->hash_count++] =
        (struct dram_piece){ones(range->width), (uint8_t)range->field, (uint8_t)row.low, (uint8_t)range->low};
    return 1;
}

static uint32_t use(struct reader *reader, const struct range *range)
{
    const uint64_t bits = range->width ? ones(range->width) << range->low : 0;
    const uint64_t twice = reader->used[range->field] & bits;
    if (twice)
        return refuse(reader, "mapping: bit %u of %s is used twice", (uint32_t)__builtin_ctzll(twice),
                      names[range->field]);
    reader->used[range->field] |= bits;
    return 1;
}

static uint32_t read_piece(struct reader *reader)
{
    if (reader->mapping->piece_count == DRAM_PIECES)
        return refuse(reader, "mapping has more than %u parts", DRAM_PIECES);
    struct range *range = &reader->ranges[reader->mapping->piece_count++];
    if (!read_range(reader, range) || !use(reader, range))
        return 0;
    while (skip(reader, "^")) {
        if (!read_hash(reader, range))
            return 0;
    }
    if (*reader->at && *reader->at != ' ')
        return refuse(reader, "mapping: '%.24s' follows %s; parts are separated by blanks", reader->at,
                      names[range->field]);
    return 1;
}

static uint32_t check_ends(struct reader *reader, uint32_t burst_bits)
{
    const struct dram_mapping *mapping = reader->mapping;
    const struct range *first = &reader->ranges[0];
    if (!mapping->piece_count || first->field != DRAM_ROW || !first->is_open)
        return refuse(reader, "mapping must begin with row, which has all the highest bits");
    const struct range *last = &reader->ranges[mapping->piece_count - 1];
    if (last->field != DRAM_COLUMN || last->low != 0 || last->width < burst_bits)
        return refuse(reader, "mapping must end with bits of column from bit 0, at least the %u of a burst",
                      burst_bits);
    return 1;
}

static uint32_t check_all_used(struct reader *reader)
{
    for (uint32_t field = 0; field < DRAM_FIELDS; field++) {
        const uint64_t missing = ones(reader->mapping->bits[field]) & ~reader->used[field];
        if (missing)
            return refuse(reader, "mapping: bit %u of %s is not used", (uint32_t)__builtin_ctzll(missing),
                          names[field]);
    }
    return 1;
}

/* From the lowest bit of the address. */
static uint32_t place(struct reader *reader)
{
    struct dram_mapping *mapping = reader->mapping;
    uint32_t from = 0, kept = 0;
    for (uint32_t i = mapping->piece_count; i-- > 0;) {
        const struct range *range = &reader->ranges[i];
        if (!range->width)
            continue;
        mapping->pieces[kept++] =
            (struct dram_piece){ones(range->width), (uint8_t)range->field, (uint8_t)from, (uint8_t)range->low};
        from += range->width;
        if (i && from > LOWEST_OPEN_ROW_BIT)
            return refuse(reader, "mapping: more than %u bits lie below the first part", LOWEST_OPEN_ROW_BIT);
    }
    mapping->piece_count = kept;
    mapping->run_bytes = (uint32_t)mapping->pieces[0].mask + 1;
    return 1;
}

uint32_t dram_mapping_parse(struct dram_mapping *mapping, const char *expression, const struct dram_geometry *geometry,
                            char *error, size_t error_bytes)
{
    struct reader reader = {.at = expression, .mapping = mapping, .error = error, .error_bytes = error_bytes};
    *mapping = (struct dram_mapping){0};
    mapping->bits[DRAM_ROW] = ROW_BITS;
    mapping->bits[DRAM_COLUMN] = (uint32_t)__builtin_ctz(geometry->row_bytes);
    mapping->bits[DRAM_BANK] = (uint32_t)__builtin_ctz(geometry->banks / geometry->bank_groups);
    mapping->bits[DRAM_BANK_GROUP] = (uint32_t)__builtin_ctz(geometry->bank_groups);
    for (reader.at += strspn(reader.at, " "); *reader.at; reader.at += strspn(reader.at, " ")) {
        if (!read_piece(&reader))
            return 0;
    }
    if (!check_ends(&reader, (uint32_t)__builtin_ctz(geometry->burst_bytes)) || !check_all_used(&reader))
        return 0;
    return place(&reader);
}
