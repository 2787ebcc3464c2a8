/* SPDX-License-Identifier: MIT */
/* What separately built blocks rely on: sizes, and that every header stands alone in C and in C++. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "hd_address.h"
#include "hd_block.h"
#include "hd_context.h"
#include "hd_extension.h"
#include "hd_getm.h"
#include "hd_message.h"
#include "hd_packet.h"
#include "hd_time.h"

/* test_headers_cxx.cpp */
size_t cxx_size_of_class(void);
size_t cxx_size_of_services(void);
size_t cxx_size_of_launch(void);

Test(headers, structs_are_the_same_in_c_and_cxx)
{
    cr_expect_eq(cxx_size_of_class(), sizeof(hd_block_class));
    cr_expect_eq(cxx_size_of_services(), sizeof(hd_services));
    cr_expect_eq(cxx_size_of_launch(), sizeof(hd_block_launch));
}

Test(headers, a_packet_is_a_64_byte_header_and_its_body)
{
    struct {
        hd_packet packet;
        uint8_t body[8];
    } whole = {.body = {1, 2, 3}};
    cr_expect_eq(sizeof(hd_packet), 64);
    cr_expect_eq(hd_body(&whole.packet), (void *)whole.body);
    cr_expect_eq(((const uint8_t *)hd_body_const(&whole.packet))[2], 3);
    cr_expect_leq(sizeof(hd_store) + HD_LINE_BYTES, HD_PACKET_BODY_MAX);
    cr_expect_leq(sizeof(hd_block_launch), HD_PACKET_BODY_MAX);
    cr_expect_leq(32 * sizeof(hd_atomic_operation), HD_PACKET_BODY_MAX);
    cr_expect_leq((HD_GETM_LOG_WIRE_BYTES - HD_HEADER_WIRE_BYTES) / 8 * sizeof(hd_getm_region), HD_PACKET_BODY_MAX);
    cr_expect_leq(sizeof(hd_getm_refusal), sizeof(hd_getm_access), "a refusal is made of the request");
}

Test(headers, addresses_are_spread_over_partitions_without_gaps)
{
    const uint32_t endpoints[] = {4, 5, 6};
    const hd_address_map map = {.partitions = 3, .interleave_bytes = 256, .endpoints = endpoints};
    uint64_t next[3] = {0};
    for (uint64_t address = 0; address < 3 * 256 * 10; address++) {
        const uint32_t partition = hd_partition_of(&map, address);
        cr_assert_eq(partition, address / 256 % 3);
        cr_assert_eq(hd_partition_offset(&map, address), next[partition]++);
    }
}

Test(headers, a_word_of_private_memory_of_all_lanes_is_one_line)
{
    const uint32_t lanes = 32, bytes = 256, slots = 5;
    for (uint32_t warp = 0; warp < 3; warp++)
        for (uint32_t offset = 0; offset < bytes; offset += 4) {
            const uint64_t line = hd_private_address(2, slots, lanes, 3, warp, 0, offset);
            cr_assert_eq(line % HD_LINE_BYTES, 0);
            cr_assert_eq(line, hd_context_line(2, slots, offset / 4 * 3 + warp), "warps take turns");
            for (uint32_t lane = 0; lane < lanes; lane++)
                cr_assert_eq(hd_private_address(2, slots, lanes, 3, warp, lane, offset + 3), line + 4 * lane + 3);
        }
}

Test(headers, no_two_bytes_of_private_memory_have_one_address)
{
    static const struct {
        uint32_t slots, lanes, warps, bytes;
    } shapes[] = {{1, 32, 1, 128}, {3, 32, 2, 128}, {8, 64, 3, 128}, {5, 16, 4, 256}, {7, 1, 2, 128}, {4, 48, 2, 128}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const uint32_t slots = shapes[i].slots, lanes = shapes[i].lanes, warps = shapes[i].warps;
        const uint64_t lines = ((uint64_t)lanes * shapes[i].bytes + HD_LINE_BYTES - 1) / HD_LINE_BYTES * warps * slots;
        uint8_t *seen = calloc(lines, HD_LINE_BYTES);
        for (uint32_t slot = 0; slot < slots; slot++)
            for (uint32_t thread = 0; thread < warps * lanes; thread++)
                for (uint32_t offset = 0; offset < shapes[i].bytes; offset++) {
                    const uint64_t at =
                        hd_private_address(slot, slots, lanes, warps, thread / lanes, thread % lanes, offset) -
                        HD_PHYSICAL_CONTEXT_BASE;
                    cr_assert_lt(at, lines * HD_LINE_BYTES);
                    cr_assert(!seen[at], "shape %zu, slot %u, thread %u, byte %u", i, slot, thread, offset);
                    seen[at] = 1;
                }
        free(seen);
    }
}

#define SLOTS 1024u
#define PLACES_MAX 256u

/* How often each of so many places got something. */
typedef struct tally {
    uint32_t got[PLACES_MAX];
    uint32_t places;
    uint32_t sum;
} tally;

static void count(tally *t, uint64_t place)
{
    t->got[place % t->places]++;
    t->sum++;
}

/* The most that one place got, by the mean. */
static double unevenness(const tally *t)
{
    uint32_t most = 0;
    for (uint32_t place = 0; place < t->places; place++)
        most = t->got[place] > most ? t->got[place] : most;
    return t->sum ? (double)most * t->places / t->sum : 1;
}

/* Address of the word that is so many below the top of a stack of 4 KiB. */
static uint64_t stack_word(uint32_t slot, uint32_t warps, uint32_t warp, uint32_t word)
{
    return hd_private_address(slot, SLOTS, 32, warps, warp, 0, 4096 - 4 * word);
}

static double unevenness_of_partitions(uint32_t partitions, uint32_t interleave, uint32_t blocks, uint32_t warps,
                                       uint32_t words)
{
    tally t = {.places = partitions};
    for (uint32_t slot = 0; slot < blocks; slot++)
        for (uint32_t warp = 0; warp < warps; warp++)
            for (uint32_t word = 1; word <= words; word++)
                count(&t, stack_word(slot, warps, warp, word) / interleave);
    return unevenness(&t);
}

Test(headers, stacks_are_spread_over_any_number_of_partitions)
{
    double worst = 0;
    for (uint32_t partitions = 1; partitions <= 96; partitions++)
        for (uint32_t interleave = 128; interleave <= 1024; interleave *= 2)
            for (uint32_t blocks = 1; blocks <= 256; blocks *= 4)
                for (uint32_t warps = 1; warps <= 32; warps *= 4)
                    for (uint32_t words = 1; words <= 16; words *= 4) {
                        if (blocks * warps * words * HD_LINE_BYTES / interleave < 16 * partitions)
                            continue;
                        const double found = unevenness_of_partitions(partitions, interleave, blocks, warps, words);
                        worst = found > worst ? found : worst;
                        cr_expect_lt(found, 2, "%u partitions of %u B, %u blocks of %u warps, %u words: %g", partitions,
                                     interleave, blocks, warps, words, found);
                    }
    printf("the fullest partition of all has %.2f times its share\n", worst);
}

/* Of one partition, whose rows of 2 KiB go round its banks. */
Test(headers, stacks_are_spread_over_banks)
{
    for (uint32_t partitions = 1; partitions <= 64; partitions++)
        for (uint32_t banks = 4; banks <= 16; banks *= 2)
            for (uint32_t blocks = 64; blocks <= 512; blocks *= 2) {
                const uint32_t endpoints[64] = {0};
                const hd_address_map map = {.partitions = partitions, .interleave_bytes = 256, .endpoints = endpoints};
                tally t = {.places = banks};
                for (uint32_t slot = 0; slot < blocks; slot++)
                    for (uint32_t warp = 0; warp < 8; warp++)
                        for (uint32_t word = 1; word <= 8; word++) {
                            const uint64_t address = stack_word(slot, 8, warp, word);
                            if (hd_partition_of(&map, address) == 0)
                                count(&t, hd_partition_offset(&map, address) / 2048);
                        }
                cr_expect(t.sum * HD_LINE_BYTES < 8 * banks * 2048 || unevenness(&t) < 2.5,
                          "%u partitions of %u banks, %u blocks: %g", partitions, banks, blocks, unevenness(&t));
            }
}
