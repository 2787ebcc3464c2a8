/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* A column after substitution, shift and mixing: each of its rows comes from another column. */
SIMT_INLINE uint32_t mixed(const uint32_t *table, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return table[a >> 24] ^ simt_rotate_left(table[b >> 16 & 255], 24) ^ simt_rotate_left(table[c >> 8 & 255], 16) ^
           simt_rotate_left(table[d & 255], 8);
}

/* The same without mixing: rows 1 and 2 of an entry are the substituted byte itself. */
SIMT_INLINE uint32_t substituted(const uint32_t *table, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (table[a >> 24] >> 8 & 255) << 24 | (table[b >> 16 & 255] >> 8 & 255) << 16 |
           (table[c >> 8 & 255] & 0xFF00) | (table[d & 255] >> 8 & 255);
}

SIMT_KERNEL(aes, const aes_args *args)
{
    const uint32_t *keys = HD_POINTER(const uint32_t, args->keys);
    for (uint32_t at = simt_thread_x(); at < AES_TABLE; at += simt_block_size_x())
        simt_scratchpad[at] = HD_POINTER(const uint32_t, args->table)[at];
    simt_barrier();

    uint32_t i = simt_global_index();
    if (i >= args->count)
        return;
    const uint32_t *text = HD_POINTER(const aes_block, args->text)[i].columns;
    uint32_t a = text[0] ^ keys[0], b = text[1] ^ keys[1], c = text[2] ^ keys[2], d = text[3] ^ keys[3];
#pragma GCC unroll 1
    for (uint32_t round = 1; round < AES_ROUNDS; round++) {
        keys += 4;
        uint32_t next_a = mixed(simt_scratchpad, a, b, c, d) ^ keys[0];
        uint32_t next_b = mixed(simt_scratchpad, b, c, d, a) ^ keys[1];
        uint32_t next_c = mixed(simt_scratchpad, c, d, a, b) ^ keys[2];
        d = mixed(simt_scratchpad, d, a, b, c) ^ keys[3];
        a = next_a;
        b = next_b;
        c = next_c;
    }
    uint32_t *cipher = HD_POINTER(aes_block, args->cipher)[i].columns;
    cipher[0] = substituted(simt_scratchpad, a, b, c, d) ^ keys[4];
    cipher[1] = substituted(simt_scratchpad, b, c, d, a) ^ keys[5];
    cipher[2] = substituted(simt_scratchpad, c, d, a, b) ^ keys[6];
    cipher[3] = substituted(simt_scratchpad, d, a, b, c) ^ keys[7];
}
