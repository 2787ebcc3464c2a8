/* SPDX-License-Identifier: MIT */
/* A cycle is 1000 ps, links take one. Cores are endpoints 0 to 2, as the elements of the ports. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "commit_id_vendor.h"
#include "hd_kilo.h"
#include "kit.h"

enum { REQUEST, REPLY, ROOM };
enum { CYCLE = 1000, CORES = 3, UNITS = 2 };

static kit_block *make(const char *const *parameters, uint32_t units)
{
    kit_block *kit = kit_create(&hd_commit_id_vendor_contiguous, parameters);
    for (uint32_t i = 0; i < CORES; i++) {
        kit_connect(kit, REQUEST, i, 1, 8);
        kit_connect(kit, REPLY, i, 1, 2);
        kit_route(kit, REPLY, i, i);
    }
    for (uint32_t i = 0; i < units; i++)
        kit_connect(kit, ROOM, i, 1, 4);
    kit_record(kit);
    kit_start(kit);
    return kit;
}

static void take(kit_block *kit, uint32_t core, uint32_t count, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_KILO_TAKE_IDS, 0);
    packet->source = (uint16_t)core;
    packet->argument = count;
    packet->tag = tag;
    packet->flow = 40 + core;
    packet->epoch = 3;
    kit_send(kit, REQUEST, core, packet, t);
}

static void give_room(kit_block *kit, uint32_t unit, uint64_t below, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_KILO_ROOM, 0);
    packet->address = below;
    kit_send(kit, ROOM, unit, packet, t);
}

/* The first ID that the core gets, by cycle `end`; 0: none. */
static uint64_t taken(kit_block *kit, uint32_t core, uint64_t end)
{
    hd_packet *packet = kit_receive(kit, REPLY, core, end * CYCLE);
    if (!packet)
        return 0;
    const uint64_t first = packet->address;
    cr_expect_eq(packet->destination, core);
    cr_expect_eq(packet->flow, 40 + core);
    cr_expect_eq(packet->epoch, 3);
    cr_expect_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES);
    kit_free(kit, packet);
    return first;
}

Test(commit_id_vendor, ids_are_consecutive_in_the_order_of_requests)
{
    kit_block *kit = make(NULL, 0);
    take(kit, 2, 5, 1, 0);
    take(kit, 0, 32, 2, 3 * CYCLE);
    take(kit, 1, 1, 3, 3 * CYCLE);
    take(kit, 2, 2, 4, 4 * CYCLE);
    cr_expect_eq(taken(kit, 2, 1), 1, "at once: a cycle each way");
    cr_expect_eq(taken(kit, 0, 4), 6);
    cr_expect_eq(taken(kit, 1, 4), 38, "of the same cycle, by element");
    cr_expect_eq(taken(kit, 2, 5), 39);
    cr_expect_eq(kit_statistic(kit, "requests"), 4);
    cr_expect_eq(kit_statistic(kit, "ids"), 40);
    cr_expect_eq(kit_statistic(kit, "request_cycles"), 0);
    cr_expect_eq(kit_recorded_count(kit, "ids"), 4);
    kit_destroy(kit);
}

Test(commit_id_vendor, a_request_takes_as_long_as_said)
{
    kit_block *kit = make((const char *[]){"latency=10 cycles", NULL}, 0);
    take(kit, 0, 1, 1, 0);
    take(kit, 1, 1, 1, 2 * CYCLE);
    cr_expect_eq(taken(kit, 0, 10), 0);
    cr_expect_eq(taken(kit, 0, 11), 1);
    cr_expect_eq(taken(kit, 1, 13), 2);
    cr_expect_eq(kit_statistic(kit, "request_cycles"), 20);
    kit_destroy(kit);
}

Test(commit_id_vendor, so_many_are_served_per_cycle)
{
    kit_block *kit = make((const char *[]){"rate=1", NULL}, 0);
    for (uint32_t core = 0; core < CORES; core++)
        take(kit, core, 1, 1, 0);
    for (uint32_t core = 0; core < CORES; core++) {
        cr_expect_eq(taken(kit, core, core), 0);
        cr_expect_eq(taken(kit, core, core + 1), core + 1);
    }
    cr_expect_eq(kit_statistic(kit, "request_cycles"), 3);
    kit_destroy(kit);
}

Test(commit_id_vendor, waits_for_room_in_all_units)
{
    kit_block *kit = make(NULL, UNITS);
    take(kit, 0, 4, 1, 0);
    take(kit, 1, 1, 1, 0);
    give_room(kit, 0, 100, CYCLE);
    give_room(kit, 1, 4, 2 * CYCLE);
    cr_expect_eq(taken(kit, 0, 50), 0, "ID 4 has no room");
    cr_expect_eq(taken(kit, 1, 50), 0, "nobody overtakes");
    give_room(kit, 1, 5, 50 * CYCLE);
    cr_expect_eq(taken(kit, 0, 60), 1);
    cr_expect_eq(taken(kit, 1, 60), 0);
    give_room(kit, 1, UINT64_MAX, 60 * CYCLE);
    cr_expect_eq(taken(kit, 1, 70), 5);
    cr_expect_eq(kit_statistic(kit, "wait_cycles.room"), 60);
    kit_destroy(kit);
}

Test(commit_id_vendor, waits_for_credits)
{
    kit_block *kit = make(NULL, 0);
    kit_hold_credits(kit, REPLY, 0, 1);
    for (uint64_t i = 0; i < 3; i++)
        take(kit, 0, 1, i, 0);
    kit_run_until(kit, 50 * CYCLE);
    cr_expect_eq(kit_waiting(kit, REPLY, 0), 2);
    kit_release_credits(kit, REPLY, 0, 2, 50 * CYCLE);
    kit_run_until(kit, 60 * CYCLE);
    cr_expect_eq(kit_waiting(kit, REPLY, 0), 3);
    cr_expect_eq(kit_statistic(kit, "wait_cycles.reply"), 51);
    kit_destroy(kit);
}

typedef struct text {
    char lines[512];
} text;
static void add_line(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(void *context, const char *format, ...)
{
    text *text = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text->lines + strlen(text->lines), sizeof text->lines - strlen(text->lines), format, arguments);
    va_end(arguments);
}

Test(commit_id_vendor, a_hang_is_described)
{
    text text = {""};
    kit_block *kit = make(NULL, UNITS);
    const hd_pending *pending = hd_commit_id_vendor_contiguous.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    cr_expect_not(pending->has_work(kit_instance(kit)));
    take(kit, 0, 1, 1, 0);
    give_room(kit, 0, 2, 0);
    kit_run_until(kit, 50 * CYCLE);
    cr_expect(pending->has_work(kit_instance(kit)));
    pending->describe(kit_instance(kit), &(hd_text_sink){&text, add_line});
    cr_expect_not_null(strstr(text.lines, "commit unit 1 for commit ID 1"), "%s", text.lines);
    kit_destroy(kit);
}

Test(commit_id_vendor, ill_formed_requests_are_faults)
{
    static const uint32_t counts[] = {0, 65};
    for (uint32_t i = 0; i < 2; i++) {
        kit_block *kit = make(NULL, 0);
        kit_expect_fault(kit);
        take(kit, 0, counts[i], 1, 0);
        kit_run_until(kit, 50 * CYCLE);
        cr_assert_not_null(kit_fault_text(kit));
        cr_expect_not_null(strstr(kit_fault_text(kit), "ill-formed"));
        kit_destroy(kit);
    }
}

static void connect_ports(kit_block *kit)
{
    for (uint32_t i = 0; i < CORES; i++) {
        kit_connect(kit, REQUEST, i, 1 + i, 2);
        kit_connect(kit, REPLY, i, 1, 1 + i);
        kit_route(kit, REPLY, i, i);
    }
    kit_connect(kit, ROOM, 0, 2, 2);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = kit_now(kit);
    uint64_t room = 1;
    for (uint32_t i = 0; i < 200; i++) {
        take(kit, (uint32_t)(kit_random(&seed) % CORES), 1 + (uint32_t)(kit_random(&seed) % 8), i, t);
        room += kit_random(&seed) % 10;
        give_room(kit, 0, room, t);
        t += kit_random(&seed) % 3 * CYCLE;
    }
    give_room(kit, 0, UINT64_MAX, t);
}

Test(commit_id_vendor, conforms)
{
    cr_expect_eq(kit_conformance(&hd_commit_id_vendor_contiguous, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_commit_id_vendor_contiguous, (const char *[]){"latency=7 cycles", "rate=1", NULL},
                                 connect_ports, random_load),
                 0);
}
