/* SPDX-License-Identifier: MIT */
/*
 * Where the bytes of a channel lie: which bits of an address are those of its row, column, bank group and bank.
 *
 * An expression names them from the highest bit of the channel's address to the lowest:
 *
 *     row column[..8] bank^row[3..2] bank_group^row[1..0] column[7..0]
 *
 * bank_group counts the groups, bank the banks of one group, column the bytes of a row. [7..0] are some bits of one, [8] is one
 * bit, [..8] are all from bit 8 up, which may be none; without brackets it is all of them. `^row[3..2]` takes the exclusive
 * or with as many bits of the row, so that rows that follow each other lie in different banks; `^row` takes the lowest.
 * Every bit of bank, bank_group, column and row stands exactly once. The first is `row`, which has all bits from there on;
 * the last are the lowest of column, those of a burst among them, so that a burst lies in one row.
 */
#ifndef DRAM_MAPPING_H
#define DRAM_MAPPING_H

#include <stddef.h>
#include <stdint.h>

#define DRAM_PIECES 24u

enum dram_field { DRAM_ROW, DRAM_COLUMN, DRAM_BANK, DRAM_BANK_GROUP, DRAM_FIELDS };

/* Bits of the address that are bits of a field, or, of a hash, bits of the row that change them. */
struct dram_piece {
    uint64_t mask; /* of the bits, moved to bit 0 */
    uint8_t field;
    uint8_t from; /* lowest bit in the address or in the row */
    uint8_t to;   /* lowest bit in the field */
};

struct dram_mapping {
    struct dram_piece pieces[DRAM_PIECES];
    struct dram_piece hashes[DRAM_PIECES];
    uint32_t piece_count;
    uint32_t hash_count;
    uint32_t bits[DRAM_FIELDS]; /* of each field; 64 of the row */
    uint32_t run_bytes;         /* aligned ranges of so many bytes lie in one row, side by side */
};

struct dram_location {
    uint64_t row;
    uint32_t bank; /* of the channel: bank * bank groups + bank group */
};

/* All powers of two. */
struct dram_geometry {
    uint32_t banks; /* of the channel */
    uint32_t bank_groups;
    uint32_t row_bytes;
    uint32_t burst_bytes;
};

/* Returns 1, or 0 and one line in error. */
uint32_t dram_mapping_parse(struct dram_mapping *mapping, const char *expression, const struct dram_geometry *geometry,
                            char *error, size_t error_bytes);

static inline struct dram_location dram_locate(const struct dram_mapping *mapping, uint64_t offset)
{
    uint64_t fields[DRAM_FIELDS] = {0};
    for (uint32_t i = 0; i < mapping->piece_count; i++) {
        const struct dram_piece *piece = &mapping->pieces[i];
        fields[piece->field] |= (offset >> piece->from & piece->mask) << piece->to;
    }
    for (uint32_t i = 0; i < mapping->hash_count; i++) {
        const struct dram_piece *hash = &mapping->hashes[i];
        fields[hash->field] ^= (fields[DRAM_ROW] >> hash->from & hash->mask) << hash->to;
    }
    const uint64_t bank = fields[DRAM_BANK] << mapping->bits[DRAM_BANK_GROUP] | fields[DRAM_BANK_GROUP];
    return (struct dram_location){.row = fields[DRAM_ROW], .bank = (uint32_t)bank};
}

#endif
