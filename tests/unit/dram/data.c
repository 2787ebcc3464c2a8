/* SPDX-License-Identifier: MIT */
#include "bench.h"

static uint8_t byte_at(const hd_packet *packet, uint32_t i)
{
    return ((const uint8_t *)hd_body_const(packet))[i];
}

static hd_packet *next_response(kit_block *kit, uint64_t tag)
{
    hd_packet *packet = kit_receive(kit, ACCESS, 0, kit_now(kit) + 1000 * CYCLE);
    cr_assert_not_null(packet);
    cr_assert_eq(packet->tag, tag);
    return packet;
}

Test(dram, memory_never_written_is_zero)
{
    kit_block *kit = make();
    read_at(kit, 0x123480, LINE, 1, 0);
    hd_packet *response = next_response(kit, 1);
    cr_assert_eq(response->body_bytes, LINE);
    cr_expect_eq(response->argument, HD_STATUS_OK);
    cr_expect_eq(response->wire_bytes, HD_HEADER_WIRE_BYTES + LINE);
    cr_expect_eq(response->destination, 9);
    for (uint32_t i = 0; i < LINE; i++)
        cr_expect_eq(byte_at(response, i), 0);
    kit_free(kit, response);
    kit_destroy(kit);
}

Test(dram, a_read_sees_an_older_write_even_if_its_row_would_come_first)
{
    kit_block *kit = make();
    read_at(kit, ROW_STRIDE, LINE, 1, 0);               /* opens row 1 */
    write_at(kit, 0, LINE, 0xAB, 2, CYCLE);             /* row 0 */
    write_at(kit, ROW_STRIDE + 64, 64, 0xCD, 3, CYCLE); /* hits */
    read_at(kit, 64, 128, 4, CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    for (uint32_t i = 0; i < 3; i++)
        kit_free(kit, kit_receive(kit, ACCESS, 0, kit_now(kit)));
    hd_packet *response = next_response(kit, 4);
    cr_expect_eq(byte_at(response, 0), 0xAB);
    cr_expect_eq(byte_at(response, 64), 0);
    kit_free(kit, response);
    kit_destroy(kit);
}

Test(dram, a_write_does_not_overtake_an_older_read_of_the_same_bytes)
{
    kit_block *kit = make();
    write_at(kit, 0, 256, 1, 1, 0);
    kit_free(kit, next_response(kit, 1));
    const hd_time t = kit_now(kit);
    read_at(kit, 192, 128, 2, t); /* row 0 of two banks, the second still closed */
    write_at(kit, 192, 64, 9, 3, t);
    hd_packet *response = next_response(kit, 2);
    cr_expect_eq(byte_at(response, 0), 1);
    kit_free(kit, response);
    kit_free(kit, next_response(kit, 3));
    kit_destroy(kit);
}

Test(dram, honours_byte_enables)
{
    kit_block *kit = make();
    write_at(kit, 0, 8, 0x11, 1, 0);
    hd_packet *packet = kit_packet(kit, HD_MEMORY_WRITE, 16);
    packet->argument = 8;
    memset(hd_body(packet), 0x22, 8);
    ((uint8_t *)hd_body(packet))[8 + 3] = 0xFF;
    kit_send(kit, ACCESS, 0, packet, 0);
    read_at(kit, 0, 8, 3, 0);
    kit_run_until(kit, 500 * CYCLE);
    kit_free(kit, kit_receive(kit, ACCESS, 0, kit_now(kit)));
    kit_free(kit, kit_receive(kit, ACCESS, 0, kit_now(kit)));
    hd_packet *response = next_response(kit, 3);
    for (uint32_t i = 0; i < 8; i++)
        cr_expect_eq(byte_at(response, i), i == 3 ? 0x22 : 0x11);
    kit_free(kit, response);
    kit_destroy(kit);
}

Test(dram, moves_a_body_of_full_size_over_several_banks)
{
    kit_block *kit = make();
    write_at(kit, 40, HD_PACKET_BODY_MAX, 0x5A, 1, 0);
    read_at(kit, 0, HD_PACKET_BODY_MAX, 2, 0);
    kit_free(kit, next_response(kit, 1));
    hd_packet *response = next_response(kit, 2);
    for (uint32_t i = 0; i < HD_PACKET_BODY_MAX; i++)
        cr_assert_eq(byte_at(response, i), i < 40 ? 0 : 0x5A);
    kit_free(kit, response);
    kit_destroy(kit);
}

static void expect_refusal(const char *message, uint64_t address, uint32_t argument, uint32_t body_bytes, uint8_t fill,
                           uint32_t status)
{
    kit_block *kit = make();
    hd_packet *packet = kit_packet(kit, message, body_bytes);
    packet->address = address;
    packet->argument = argument;
    packet->tag = 77;
    memset(hd_body(packet), fill, body_bytes);
    kit_send(kit, ACCESS, 0, packet, 0);
    hd_packet *response = next_response(kit, 77);
    cr_expect_eq(response->argument, status, "%s, %u bytes: status %u", message, argument, response->argument);
    cr_expect_eq(response->body_bytes, 0);
    cr_expect_eq(kit_statistic(kit, "refused"), 1);
    cr_expect_eq(kit_statistic(kit, "activates"), 0);
    kit_free(kit, response);
    kit_destroy(kit);
}

Test(dram, refuses_what_it_cannot_do_with_the_status_of_the_protocol)
{
    expect_refusal("test.nonsense/1", 0, 4, 4, 0, HD_STATUS_COMMAND_ERROR);
    expect_refusal(HD_MEMORY_READ, 0, 0, 0, 0, HD_STATUS_BURST_ERROR);
    expect_refusal(HD_MEMORY_READ, 0, HD_PACKET_BODY_MAX + 1, 0, 0, HD_STATUS_BURST_ERROR);
    expect_refusal(HD_MEMORY_READ, UINT64_C(1) << 40, 4, 0, 0, HD_STATUS_ADDRESS_ERROR);
    expect_refusal(HD_MEMORY_READ, (UINT64_C(1) << 40) - 2, 4, 0, 0, HD_STATUS_ADDRESS_ERROR);
    expect_refusal(HD_MEMORY_READ, UINT64_MAX - 2, 8, 0, 0, HD_STATUS_ADDRESS_ERROR);
    expect_refusal(HD_MEMORY_WRITE, 0, 8, 4, 0, HD_STATUS_BURST_ERROR);
    expect_refusal(HD_MEMORY_WRITE, 0, 8, 12, 0, HD_STATUS_BYTE_ENABLE_ERROR);
    expect_refusal(HD_MEMORY_WRITE, 0, 8, 16, 3, HD_STATUS_BYTE_ENABLE_ERROR);
}

static uint64_t listed[8];
static uint32_t listed_count;
static void list(void *context, hd_packet *packet, uint32_t offset)
{
    (void)context;
    cr_expect_eq(offset, 0);
    listed[listed_count++ % 8] = packet->tag;
}

/* Writes of one row after those of another, so that they are carried out in another order. */
Test(dram, lists_what_is_in_its_queue_with_the_oldest_first)
{
    kit_block *kit = make();
    const hd_under_way_sink sink = {.write = list};
    for (uint32_t i = 0; i < 4; i++)
        write_at(kit, i % 2 * ROW_STRIDE, 8, (uint8_t)i, i, 0);
    kit_run_until(kit, 8 * CYCLE);
    const hd_under_way *ability = hd_dram_banked.extension(kit_instance(kit), HD_EXTENSION_UNDER_WAY);
    ability->each(kit_instance(kit), &sink);
    cr_expect_eq(listed_count, 4);
    cr_expect_arr_eq(listed, ((const uint64_t[]){0, 1, 2, 3}), 4 * sizeof *listed);
    kit_run_until(kit, 500 * CYCLE);
    listed_count = 0;
    ability->each(kit_instance(kit), &sink);
    cr_expect_eq(listed_count, 0);
    kit_destroy(kit);
}

Test(dram, debug_access_reads_and_writes_without_time)
{
    kit_block *kit = make();
    uint8_t bytes[64];
    memset(bytes, 0x77, sizeof bytes);
    cr_expect_eq(kit_debug_write(kit, 4096 - 32, bytes, 64), 32, "as far as the chunk goes");
    cr_expect_eq(kit_debug_write(kit, 4096, bytes, 32), 32);
    memset(bytes, 0, sizeof bytes);
    cr_expect_eq(kit_debug_read(kit, 4096 - 16, bytes, 16), 16);
    cr_expect_eq(bytes[0], 0x77);
    read_at(kit, 4096 - 32, 64, 1, 0);
    hd_packet *response = next_response(kit, 1);
    cr_expect_eq(byte_at(response, 63), 0x77);
    kit_free(kit, response);
    kit_destroy(kit);
}

Test(dram, holds_the_partition_of_its_index)
{
    kit_block *kit = kit_create(&hd_dram_banked, NULL);
    kit_address_map(kit, 4, 256, NULL);
    kit_name(kit, "dram[2]", 2, 4);
    uint32_t word = 0;
    for (uint64_t partition = 0; partition < 8; partition++)
        cr_expect_eq(kit_debug_read(kit, partition * 256, &word, 4), partition % 4 == 2 ? 4u : 0u);
    kit_destroy(kit);
}

Test(dram, equal_offsets_of_two_partitions_are_different_bytes)
{
    kit_block *kit = kit_create(&hd_dram_banked, NULL);
    kit_address_map(kit, 2, 256, NULL);
    kit_connect(kit, ACCESS, 0, LINK, 16);
    write_at(kit, 0, 4, 1, 0, 0);
    write_at(kit, 256, 4, 2, 0, 0);
    read_at(kit, 0, 4, 1, 0);
    read_at(kit, 256, 4, 2, 0);
    kit_run_until(kit, 2000 * CYCLE);
    for (uint32_t i = 0; i < 4; i++) {
        hd_packet *response = kit_receive(kit, ACCESS, 0, kit_now(kit));
        if (response->tag)
            cr_expect_eq(byte_at(response, 0), response->tag);
        kit_free(kit, response);
    }
    kit_destroy(kit);
}

static void expect_refused(const char *const *parameters, const char *text)
{
    char error[256] = "";
    cr_expect(kit_refuses(&hd_dram_banked, parameters, error, sizeof error));
    cr_expect(strstr(error, text), "%s: %s", text, error);
}

Test(dram, refuses_geometries_that_do_not_fit)
{
    expect_refused((const char *[]){"banks=6", NULL}, "banks must be a power of two");
    expect_refused((const char *[]){"bank_groups=3", NULL}, "bank_groups must be a power of two");
    expect_refused((const char *[]){"banks=4", "bank_groups=8", NULL}, "there are more bank_groups than banks");
    expect_refused((const char *[]){"row_bytes=2000 B", NULL}, "row_bytes must be a power of two");
    expect_refused((const char *[]){"burst=3 cycles", NULL}, "must be a power of two");
    expect_refused((const char *[]){"row_bytes=64 B", "burst=4 cycles", NULL}, "a burst is longer than row_bytes");
    expect_refused((const char *[]){"trefi=100 ns", NULL}, "trefi leaves no time");
}
