/* SPDX-License-Identifier: MIT */
/*
 * Shadow memory: a block's part of the scratchpad holds, behind its N rows of data (a row is a word of each bank), N rows of backups,
 * and rows with the owners of the words, a byte each. A word, its backup and its owner are in one bank, so that banks work by
 * themselves; in the flat layout owners are behind each other, whatever the bank. Source: Villegas et al., GPU-LocalTM, §3, Fig. 4b.
 *
 *   data of row k of bank b     word k * banks + b
 *   its backup                  word (N + k) * banks + b
 *   its owner                   byte k % 4 of word (2 N + k / 4) * banks + b
 */
#ifndef SIMT_CORE_TX_LOCAL_SHADOW_H
#define SIMT_CORE_TX_LOCAL_SHADOW_H

#include <stdint.h>

#define SHADOW_OWNERS_PER_WORD 4u

typedef struct shadow_layout {
    uint32_t banks; /* a power of two */
    uint32_t rows;  /* of data: N */
    uint32_t is_flat;
} shadow_layout;

static inline uint32_t shadow_words(const shadow_layout *layout)
{
    return layout->rows * layout->banks;
}
static inline uint32_t shadow_bank_of(const shadow_layout *layout, uint32_t word)
{
    return word & (layout->banks - 1);
}
/* Rows that N rows of data take, all in all. */
static inline uint64_t shadow_rows_taken(uint64_t rows)
{
    return 2 * rows + (rows + SHADOW_OWNERS_PER_WORD - 1) / SHADOW_OWNERS_PER_WORD;
}
/* The most rows of data that fit into so many. */
static inline uint32_t shadow_rows_in(uint32_t rows)
{
    uint32_t data = (uint32_t)((uint64_t)rows * 4 / 9);
    while (shadow_rows_taken(data + 1) <= rows)
        data++;
    return data;
}
/* Rows of data that so many bytes begin. */
static inline uint32_t shadow_rows_of(uint32_t banks, uint32_t bytes)
{
    return (bytes + 4 * banks - 1) / (4 * banks);
}
/* Word of the backup. */
static inline uint32_t shadow_backup(const shadow_layout *layout, uint32_t word)
{
    return word + shadow_words(layout);
}
/* Byte of the owner. */
static inline uint32_t shadow_owner(const shadow_layout *layout, uint32_t word)
{
    if (layout->is_flat)
        return 2 * shadow_words(layout) * 4 + word;
    const uint32_t row = word / layout->banks;
    const uint32_t of_row = (2 * layout->rows + row / SHADOW_OWNERS_PER_WORD) * layout->banks;
    return (of_row + shadow_bank_of(layout, word)) * 4 + row % SHADOW_OWNERS_PER_WORD;
}

#endif
