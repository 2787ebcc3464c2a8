/* SPDX-License-Identifier: MIT */
/* Hashes of indices, and address maps: every byte at one place, and strides over as many partitions as the hash says. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "hd_extension.h"

static uint32_t degree_of(uint64_t polynomial)
{
    return 63 - (uint32_t)__builtin_clzll(polynomial);
}

/* Long division over GF(2). */
static uint64_t remainder_of(uint64_t number, uint64_t polynomial)
{
    const uint32_t degree = degree_of(polynomial);
    for (uint32_t bit = 64; bit-- > degree;)
        if (number >> bit & 1)
            number ^= polynomial << (bit - degree);
    return number;
}

Test(hash, the_polynomials_have_no_factors)
{
    for (uint32_t degree = 1; degree <= HD_HASH_BITS_MAX; degree++) {
        const uint32_t polynomial = hd_irreducible(degree);
        cr_assert_eq(degree_of(polynomial), degree);
        for (uint64_t factor = 2; factor < UINT64_C(1) << (degree / 2 + 1); factor++)
            cr_expect(factor == polynomial || remainder_of(polynomial, factor) != 0, "%#x divides %#x",
                      (unsigned)factor, polynomial);
    }
    cr_expect_eq(hd_irreducible(4), 19);
    cr_expect_eq(hd_irreducible(5), 37);
    cr_expect_eq(hd_irreducible(6), 67);
}

static hd_index_hash hash_of(uint32_t kind, uint32_t count)
{
    hd_index_hash hash;
    memset(&hash, 0xAA, sizeof hash);
    hd_index_hash_init(&hash, kind, count);
    return hash;
}

/* Of an address without the bytes inside a chunk. */
static uint32_t hashed(const hd_index_hash *hash, uint64_t chunk)
{
    return hd_hash_index(hash, (uint32_t)(chunk & ((UINT64_C(1) << hash->bits) - 1)), chunk >> hash->bits);
}

Test(hash, ipoly_is_the_remainder_of_the_whole_address)
{
    for (uint32_t bits = 1; bits <= HD_HASH_BITS_MAX; bits++) {
        const hd_index_hash hash = hash_of(HD_HASH_IPOLY, 1u << bits);
        uint64_t chunk = 1;
        for (uint32_t i = 0; i < 2000; i++, chunk = chunk * UINT64_C(6364136223846793005) + 1442695040888963407) {
            const uint64_t number = i < 64 ? UINT64_C(1) << i : chunk >> i % 40;
            cr_assert_eq(hashed(&hash, number), remainder_of(number, hd_irreducible(bits)), "%u bits: %#llx", bits,
                         (unsigned long long)number);
        }
    }
}

/* The equations of GPGPU-Sim, one line for each bit of the index: bits above it that change it. They end with a 99. */
static const struct {
    uint32_t count, known; /* bits above the index that the equations know */
    uint8_t bits[6][10];
} written_out[] = {
    {16,
     13,
     {{11, 10, 9, 8, 6, 4, 3, 0, 99},
      {12, 8, 7, 6, 5, 3, 1, 0, 99},
      {9, 8, 7, 6, 4, 2, 1, 99},
      {10, 9, 8, 7, 5, 3, 2, 99}}},
    {32,
     15,
     {{13, 12, 11, 10, 9, 6, 5, 3, 0, 99},
      {14, 13, 12, 11, 10, 7, 6, 4, 1, 99},
      {14, 10, 9, 8, 7, 6, 3, 2, 0, 99},
      {11, 10, 9, 8, 7, 4, 3, 1, 99},
      {12, 11, 10, 9, 8, 5, 4, 2, 99}}},
    {64,
     19,
     {{18, 17, 16, 15, 12, 10, 6, 5, 0, 99},
      {15, 13, 12, 11, 10, 7, 5, 1, 0, 99},
      {16, 14, 13, 12, 11, 8, 6, 2, 1, 99},
      {17, 15, 14, 13, 12, 9, 7, 3, 2, 99},
      {18, 16, 15, 14, 13, 10, 8, 4, 3, 99},
      {17, 16, 15, 14, 11, 9, 5, 4, 99}}},
};

Test(hash, ipoly_is_what_the_equations_of_gpgpu_sim_say)
{
    for (size_t w = 0; w < sizeof written_out / sizeof *written_out; w++) {
        const hd_index_hash hash = hash_of(HD_HASH_IPOLY, written_out[w].count);
        for (uint32_t above = 0; above < 1u << written_out[w].known; above++) {
            uint32_t index = above % written_out[w].count, expected = index;
            for (uint32_t bit = 0; 1u << bit < written_out[w].count; bit++)
                for (const uint8_t *from = written_out[w].bits[bit]; *from != 99; from++)
                    expected ^= (above >> *from & 1) << bit;
            cr_assert_eq(hd_hash_index(&hash, index, above), expected, "%u: %#x above", written_out[w].count, above);
        }
    }
}

static uint32_t indices_of_stride(const hd_index_hash *hash, uint32_t shift)
{
    uint8_t seen[256] = {0};
    uint32_t count = 0;
    for (uint64_t i = 0; i < hash->count; i++) {
        const uint32_t index = hashed(hash, i << shift);
        count += !seen[index];
        seen[index] = 1;
    }
    return count;
}

Test(hash, ipoly_has_no_conflicts_for_any_stride_of_a_power_of_two)
{
    for (uint32_t bits = 1; bits <= 8; bits++) {
        const hd_index_hash hash = hash_of(HD_HASH_IPOLY, 1u << bits);
        for (uint32_t shift = 0; shift + bits < 64; shift++)
            cr_assert_eq(indices_of_stride(&hash, shift), 1u << bits, "%u bits, stride 2^%u", bits, shift);
    }
}

Test(hash, xor_takes_the_bits_right_above_the_index)
{
    const hd_index_hash hash = hash_of(HD_HASH_XOR, 16);
    cr_expect_eq(hashed(&hash, 0x5), 5);
    cr_expect_eq(hashed(&hash, 0x35), 3 ^ 5);
    cr_expect_eq(hashed(&hash, 0xF35), 3 ^ 5, "and none further up");
    cr_expect_eq(indices_of_stride(&hash, 4), 16);
    cr_expect_eq(indices_of_stride(&hash, 8), 1);
}

Test(hash, every_index_is_taken_once_for_each_of_the_bits_above)
{
    static const uint32_t counts[] = {1, 2, 3, 5, 6, 11, 12, 16, 22, 24, 48, 64, 80};
    for (uint32_t kind = 0; kind < HD_HASHES; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (uint64_t above = 0; above < 300; above++) {
                const hd_index_hash hash = hash_of(kind, counts[c]);
                uint8_t seen[128] = {0};
                for (uint32_t index = 0; index < counts[c]; index++) {
                    const uint32_t at = hd_hash_index(&hash, index, above * 7919);
                    cr_assert(at < counts[c] && !seen[at], "kind %u, %u: %u twice", kind, counts[c], at);
                    cr_assert(kind || at == index);
                    seen[at] = 1;
                }
            }
}

/* ---- Maps ------------------------------------------------------------------------------------------------------------- */

static const uint32_t endpoints[128];

/* Everything below `bytes` lies in a place of its own, of a partition and of a channel, and every partition is filled. */
static void expect_places(const hd_address_map *map, uint64_t bytes, uint32_t shared)
{
    const uint64_t lines = bytes / HD_LINE_BYTES, of_partition = lines / map->partitions;
    uint8_t *seen = calloc(lines, 1), *seen_in_channel = calloc(lines, 1);
    for (uint64_t address = 0; address < bytes; address += HD_LINE_BYTES) {
        const uint32_t partition = hd_partition_of(map, address);
        const uint64_t offset = hd_partition_offset(map, address), at = offset / HD_LINE_BYTES;
        cr_assert(partition < map->partitions && at < of_partition, "%llx", (unsigned long long)address);
        cr_assert(!seen[partition * of_partition + at]++);
        const uint64_t in_channel = hd_channel_offset(map, address, shared) / HD_LINE_BYTES;
        cr_assert_lt(in_channel, of_partition * shared);
        cr_assert(!seen_in_channel[partition / shared * shared * of_partition + in_channel]++);
        const uint64_t inside = address % hd_partition_run(map);
        cr_assert_eq(hd_partition_of(map, address - inside), partition);
        cr_assert_eq(hd_partition_offset(map, address - inside), offset - inside);
        cr_assert_eq(hd_partition_offset(map, address + 127), offset + 127);
    }
    free(seen);
    free(seen_in_channel);
}

Test(hash, maps_put_every_line_at_a_place_of_its_own)
{
    static const uint32_t counts[] = {1, 2, 3, 6, 8, 12, 22, 64}, widths[] = {128, 256, 1024};
    for (uint32_t kind = 0; kind < HD_HASHES; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (uint32_t subs = 1; subs <= 4; subs++)
                for (uint32_t w = 0; w < 9 && counts[c] % subs == 0; w++) {
                    const hd_index_hash hash = hash_of(kind, counts[c]);
                    const hd_address_map map = {.partitions = counts[c],
                                                .interleave_bytes = widths[w / 3],
                                                .endpoints = endpoints,
                                                .sub_partitions = subs,
                                                .sub_interleave_bytes = widths[w % 3],
                                                .hash = kind ? &hash : NULL};
                    expect_places(&map, UINT64_C(8192) * counts[c] * subs, 1);
                    expect_places(&map, UINT64_C(8192) * counts[c] * subs, subs);
                }
}

/* A channel's address, as the sub-interleave divides it: without the bits that choose the channel. */
Test(hash, the_partitions_of_a_group_share_a_channel_that_keeps_the_quotient)
{
    const hd_address_map gtx480 = {12, 256, endpoints, 2, 256, NULL, 0}, titan = {12, 256, endpoints, 2, 128, NULL, 0};
    for (uint64_t address = 0; address < 1 << 16; address += 32) {
        const uint64_t channel = address / 256 % 6, inside = address / 256 / 6 * 256 + address % 256;
        cr_assert_eq(hd_partition_of(&gtx480, address), channel * 2 + (inside >> 8 & 1));
        cr_assert_eq(hd_partition_of(&titan, address), channel * 2 + (inside >> 7 & 1));
        cr_assert_eq(hd_channel_offset(&gtx480, address, 2), inside);
        cr_assert_eq(hd_channel_offset(&titan, address, 2), inside);
    }
    cr_expect_eq(hd_partition_run(&gtx480), 256);
    cr_expect_eq(hd_partition_run(&titan), 128);
}

/* Of 32 channels of two: channel bits 12..8, bit 13, and a hash of what is from bit 14 on. */
Test(hash, the_map_of_a_volta_is_that_of_its_simulator)
{
    const hd_index_hash hash = hash_of(HD_HASH_IPOLY, 64);
    const hd_address_map map = {64, 256, endpoints, 2, 256, &hash, 0};
    for (uint64_t i = 0; i < 100000; i++) {
        const uint64_t address = i * 32 + (i * i << 14 & 0xFFFFFC000);
        const uint32_t index = (uint32_t)((address >> 8 & 31) * 2 + (address >> 13 & 1));
        cr_assert_eq(hd_partition_of(&map, address), hd_hash_index(&hash, index, address >> 14));
    }
}

static uint32_t partitions_of_stride(const hd_address_map *map, uint32_t n)
{
    uint8_t seen[128] = {0};
    uint32_t count = 0;
    for (uint64_t i = 0; i < 64; i++) {
        const uint32_t partition = hd_partition_of(map, HD_GLOBAL_BASE + (i * 256 << n));
        count += !seen[partition];
        seen[partition] = 1;
    }
    return count;
}

/* 64 accesses, 2^n chunks apart (machines: K21). */
Test(hash, strides_use_as_many_partitions_as_known)
{
    const hd_index_hash ipoly = hash_of(HD_HASH_IPOLY, 64);
    const struct {
        const char *name;
        hd_address_map map;
        uint32_t used[5]; /* with n = 0, 1, 2, 3, 4 and more */
    } known[] = {{"gt200", {8, 256, endpoints, 1, 256, NULL, 0}, {8, 4, 2, 1, 1}},
                 {"gtx480", {12, 256, endpoints, 1, 256, NULL, 0}, {12, 6, 3, 3, 3}},
                 {"gtx480 in pairs", {12, 256, endpoints, 2, 256, NULL, 0}, {12, 6, 3, 3, 3}},
                 {"gp102", {22, 256, endpoints, 1, 256, NULL, 0}, {22, 11, 11, 11, 11}},
                 {"gp102 by bit 7", {22, 256, endpoints, 2, 128, NULL, 0}, {11, 11, 11, 11, 11}},
                 {"gv100", {64, 256, endpoints, 1, 256, &ipoly, 0}, {64, 64, 64, 64, 64}},
                 {"gv100 in pairs", {64, 256, endpoints, 2, 256, &ipoly, 0}, {64, 64, 64, 64, 64}}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (uint32_t n = 0; n < 10; n++)
            cr_expect_eq(partitions_of_stride(&known[k].map, n), known[k].used[n < 4 ? n : 4], "%s, 2^%u: %u",
                         known[k].name, n, partitions_of_stride(&known[k].map, n));
    const hd_address_map plain = {64, 256, endpoints, 1, 256, NULL, 0};
    for (uint32_t n = 0; n < 10; n++)
        cr_expect_eq(partitions_of_stride(&plain, n), n < 6 ? 64u >> n : 1);
}

/* ---- Stacks ----------------------------------------------------------------------------------------------------------- */

/* As without a hash (headers): less than twice the share. */
Test(hash, stacks_are_spread_by_a_hash_too)
{
    for (uint32_t kind = 0; kind < HD_HASHES; kind++)
        for (uint32_t partitions = 2; partitions <= 96; partitions++)
            for (uint32_t subs = 1; subs <= 2; subs++)
                for (uint32_t warps = 1; warps <= 16 && partitions % subs == 0; warps *= 4) {
                    const hd_index_hash hash = hash_of(kind, partitions);
                    const hd_address_map map = {partitions, 256, endpoints, subs, 256, kind ? &hash : NULL, 0};
                    uint32_t got[128] = {0}, most = 0, sum = 0;
                    for (uint32_t slot = 0; slot < 256; slot++)
                        for (uint32_t warp = 0; warp < warps; warp++)
                            for (uint32_t word = 1; word <= 4; word++, sum++)
                                got[hd_partition_of(
                                    &map, hd_private_address(slot, 1024, 32, warps, warp, 0, 4096 - 4 * word))]++;
                    for (uint32_t p = 0; p < partitions; p++)
                        most = got[p] > most ? got[p] : most;
                    if (sum * HD_LINE_BYTES / 256 >= 16 * partitions)
                        cr_expect_lt(most * partitions, 2 * sum, "kind %u, %u partitions, %u warps: %u of %u", kind,
                                     partitions, warps, most, sum);
                }
}
