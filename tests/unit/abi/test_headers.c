/* SPDX-License-Identifier: MIT */
/* What separately built blocks rely on: sizes, and that every header stands alone in C and in C++. */
#include <criterion/criterion.h>
#include <stddef.h>

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
    const uint32_t lanes = 32, bytes = 256;
    for (uint32_t warp = 0; warp < 3; warp++)
        for (uint32_t offset = 0; offset < bytes; offset += 4) {
            const uint64_t line = hd_private_address(HD_PHYSICAL_CONTEXT_BASE, bytes, lanes, warp, 0, offset);
            cr_assert_eq(line % HD_LINE_BYTES, 0);
            for (uint32_t lane = 0; lane < lanes; lane++)
                cr_assert_eq(hd_private_address(HD_PHYSICAL_CONTEXT_BASE, bytes, lanes, warp, lane, offset + 3),
                             line + 4 * lane + 3);
        }
    cr_expect_eq(hd_private_address(0, bytes, lanes, 1, 0, 0), lanes * bytes, "warps follow one another");
}
