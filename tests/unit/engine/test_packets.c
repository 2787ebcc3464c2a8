/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "probe.h"

Test(packets, a_new_header_is_zero_whatever_was_there_before)
{
    hd_engine *engine = hd_engine_create();
    for (uint32_t bytes = 0; bytes <= HD_PACKET_BODY_MAX; bytes += 31) {
        for (uint32_t round = 0; round < 2; round++) {
            hd_packet *packet = hd_engine_alloc(engine, bytes);
            hd_packet expected = {.body_bytes = bytes, .body_capacity = packet->body_capacity};
            cr_expect_eq(memcmp(packet, &expected, sizeof expected), 0, "body of %u bytes", bytes);
            cr_expect_geq(packet->body_capacity, bytes);
            cr_expect_eq((uintptr_t)hd_body(packet) % 16, 0);
            memset(packet, 0xFF, sizeof *packet);
            memset(hd_body(packet), 0xFF, bytes);
            hd_engine_free(engine, packet);
        }
    }
    cr_expect_null(hd_engine_alloc(engine, HD_PACKET_STREAM_MAX + 1));
    hd_engine_destroy(engine);
}

Test(packets, a_stream_has_room_in_one)
{
    enum { COUNT = 3 };
    hd_engine *engine = hd_engine_create();
    hd_packet *packets[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        packets[i] = hd_engine_alloc(engine, i ? HD_PACKET_STREAM_MAX : HD_PACKET_BODY_MAX + 1);
        cr_assert_eq(packets[i]->body_capacity, HD_PACKET_STREAM_MAX);
        memset(hd_body(packets[i]), (int)i + 1, packets[i]->body_bytes);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint8_t *body = hd_body(packets[i]);
        cr_expect(body[0] == i + 1 && body[packets[i]->body_bytes - 1] == i + 1, "%u", i);
        hd_engine_free(engine, packets[i]);
    }
    cr_expect_eq(hd_engine_packets(engine).held, 0);
    hd_engine_destroy(engine);
}

Test(packets, many_at_once_are_all_distinct)
{
    enum { COUNT = 1000 };
    hd_engine *engine = hd_engine_create();
    hd_packet *packets[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        packets[i] = hd_engine_alloc(engine, i % HD_PACKET_BODY_MAX);
        memset(hd_body(packets[i]), (int)(i & 0xFF), i % HD_PACKET_BODY_MAX);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint8_t *body = hd_body(packets[i]);
        for (uint32_t j = 0; j < i % HD_PACKET_BODY_MAX; j++)
            cr_assert_eq(body[j], i & 0xFF);
    }
    cr_expect_eq(hd_engine_packets(engine).held, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        hd_engine_free(engine, packets[i]);
    cr_expect_eq(hd_engine_packets(engine).held, 0);
    cr_expect_eq(hd_engine_packets(engine).freed, COUNT);
    hd_engine_destroy(engine);
}

static hd_time fills_links(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    for (uint64_t i = 0; now == 0 && self->out[0] && i < 3; i++)
        self->services->send(self->services->context, self->out[0], probe_packet(self, i), 0);
    return HD_NEVER;
}

Test(packets, those_on_the_way_are_counted_and_a_reset_frees_them)
{
    hd_engine *engine = hd_engine_create();
    probe_link(engine, probe_add(engine, "a"), 0, probe_add(engine, "b"), 0, 1000, 1000, 4);
    probe_start(engine, &(probe_script){.advance = fills_links});
    hd_engine_run(engine, 5000);
    hd_conservation packets = hd_engine_packets(engine);
    cr_expect_eq(packets.allocated, 3);
    cr_expect_eq(packets.in_links, 3);
    cr_expect_eq(packets.held, 0);
    cr_expect_eq(hd_engine_check_credits(engine, NULL), 0);
    hd_engine_reset(engine, 0);
    packets = hd_engine_packets(engine);
    cr_expect_eq(packets.allocated, 0);
    cr_expect_eq(packets.in_links, 0);
    cr_expect_eq(packets.held, 0);
    hd_engine_destroy(engine);
}

Test(packets, a_message_type_has_one_number_and_none_is_zero)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t first = hd_engine_message(engine, "first/1");
    const uint32_t second = hd_engine_message(engine, "second/1");
    cr_expect_neq(first, 0);
    cr_expect_neq(first, second);
    cr_expect_eq(hd_engine_message(engine, "first/1"), first);
    cr_expect_str_eq(hd_engine_message_name(engine, second), "second/1");
    cr_expect_str_eq(hd_engine_message_name(engine, 0), "?");
    cr_expect_str_eq(hd_engine_message_name(engine, 99), "?");
    hd_engine_destroy(engine);
}
