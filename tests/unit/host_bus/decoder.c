/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "engine.h"
#include "host_bus.h"
#include "kit.h"
#include "state.h"

enum { CYCLE = 1000, TARGETS = 3 };

/* Target i has 4 KiB from 0x10000 * (i + 1) on; target 2 a second window. */
static const hd_bus_window map[] = {
    {.first = 0x10000, .last = 0x10FFF, .element = 0},
    {.first = 0x20000, .last = 0x20FFF, .element = 1},
    {.first = 0x30000, .last = 0x30FFF, .element = 2},
    {.first = UINT64_MAX - 0xFFF, .last = UINT64_MAX, .element = 2},
};

static uint32_t windows(void *context, uint32_t endpoint, uint32_t port, hd_bus_window *into, uint32_t capacity)
{
    const uint32_t count = *(uint32_t *)context;
    cr_expect_eq(endpoint, 5);
    cr_expect_eq(port, PORT_TARGET);
    for (uint32_t i = 0; i < count && i < capacity; i++)
        into[i] = map[i % (sizeof map / sizeof *map)];
    return count;
}

typedef struct rig {
    kit_block *kit;
    uint32_t window_count;
    hd_bus_map map;
    uint32_t latency[TARGETS]; /* cycles after which a target answers */
    uint32_t requests[TARGETS];
} rig;

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    rig *rig = context;
    if (port != PORT_TARGET)
        return 0;
    const uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    hd_packet *answer = kit_packet(kit, HD_MEMORY_RESPONSE, is_read ? packet->argument : 0);
    answer->tag = packet->tag;
    answer->argument = HD_STATUS_OK;
    answer->wire_bytes = HD_HEADER_WIRE_BYTES + answer->body_bytes;
    memset(hd_body(answer), (int)(packet->address >> 4), answer->body_bytes);
    rig->requests[element]++;
    kit_send(kit, PORT_TARGET, element, answer, t + rig->latency[element] * CYCLE);
    return 0;
}

static void open_bus(rig *rig, const char *const *parameters)
{
    memset(rig, 0, sizeof *rig);
    rig->window_count = sizeof map / sizeof *map;
    rig->map = (hd_bus_map){&rig->window_count, windows};
    rig->kit = kit_create(&hd_host_bus_decoder, parameters);
    kit_endpoint(rig->kit, 5);
    kit_provide(rig->kit, HD_EXTENSION_BUS_MAP, &rig->map);
    for (uint32_t i = 0; i < 2; i++)
        kit_connect(rig->kit, PORT_INITIATOR, i, 1, 4);
    for (uint32_t i = 0; i < TARGETS; i++) {
        kit_connect(rig->kit, PORT_TARGET, i, 1, 4);
        rig->latency[i] = 10;
    }
    kit_respond(rig->kit, respond, rig);
}

static void request(rig *rig, uint32_t initiator, uint64_t address, uint32_t bytes, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(rig->kit, HD_MEMORY_READ, 0);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    packet->source = (uint16_t)(40 + initiator);
    kit_send(rig->kit, PORT_INITIATOR, initiator, packet, t);
}

static hd_packet *answer(rig *rig, uint32_t initiator)
{
    hd_packet *packet = kit_receive(rig->kit, PORT_INITIATOR, initiator, kit_now(rig->kit) + 10000 * CYCLE);
    cr_assert_not_null(packet, "no answer");
    return packet;
}

static uint32_t status_of(rig *rig, uint64_t address, uint32_t bytes)
{
    request(rig, 0, address, bytes, 77, kit_now(rig->kit));
    hd_packet *packet = answer(rig, 0);
    const uint32_t status = packet->argument;
    cr_expect_eq(packet->tag, 77);
    cr_expect_eq(packet->destination, 40);
    cr_expect_eq(packet->address, address);
    kit_free(rig->kit, packet);
    return status;
}

Test(host_bus, an_access_goes_to_the_target_at_its_address)
{
    rig rig;
    open_bus(&rig, NULL);
    cr_expect_eq(status_of(&rig, 0x10000, 4), HD_STATUS_OK);
    cr_expect_eq(status_of(&rig, 0x10FFC, 4), HD_STATUS_OK);
    cr_expect_eq(status_of(&rig, 0x20800, 64), HD_STATUS_OK);
    cr_expect_eq(status_of(&rig, 0x30FFF, 1), HD_STATUS_OK);
    cr_expect_eq(status_of(&rig, UINT64_MAX, 1), HD_STATUS_OK);
    cr_expect_eq(rig.requests[0], 2);
    cr_expect_eq(rig.requests[1], 1);
    cr_expect_eq(rig.requests[2], 2);
    kit_destroy(rig.kit);
}

Test(host_bus, where_nothing_is_the_bus_answers)
{
    rig rig;
    open_bus(&rig, NULL);
    cr_expect_eq(status_of(&rig, 0, 4), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(status_of(&rig, 0xFFFF, 1), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(status_of(&rig, 0x11000, 4), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(status_of(&rig, 0x10FFC, 8), HD_STATUS_ADDRESS_ERROR, "it leaves the window");
    cr_expect_eq(status_of(&rig, 0x31000, 4), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_statistic(rig.kit, "unmapped"), 5);
    cr_expect_eq(kit_statistic(rig.kit, "requests"), 0);
    kit_destroy(rig.kit);
}

Test(host_bus, each_channel_moves_width_bytes_a_cycle)
{
    enum { READ = 64 };
    rig rig;
    open_bus(&rig, (const char *[]){"width=8 B", NULL});
    request(&rig, 0, 0x10000, READ, 1, 0);
    request(&rig, 1, 0x20000, READ, 2, 0);
    kit_free(rig.kit, answer(&rig, 0));
    cr_expect_eq(kit_received_at(rig.kit), (1 + 10 + 1) * CYCLE);
    kit_free(rig.kit, answer(&rig, 1));
    cr_expect_eq(kit_received_at(rig.kit), (1 + 10 + 1 + (8 + READ) / 8) * CYCLE, "behind the first answer");
    cr_expect_eq(kit_statistic(rig.kit, "request_busy_cycles"), 2);
    cr_expect_eq(kit_statistic(rig.kit, "response_busy_cycles"), 2 * (8 + READ) / 8);
    kit_destroy(rig.kit);
}

Test(host_bus, initiators_take_turns)
{
    rig rig;
    open_bus(&rig, (const char *[]){"requests=1", NULL});
    for (uint32_t i = 0; i < 4; i++) {
        request(&rig, 0, 0x10000, 4, i, 0);
        request(&rig, 1, 0x20000, 4, i, 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        kit_free(rig.kit, answer(&rig, 0));
        const hd_time first = kit_received_at(rig.kit);
        kit_free(rig.kit, answer(&rig, 1));
        cr_expect_gt(kit_received_at(rig.kit), first);
        cr_expect_eq(kit_received_at(rig.kit) - first, 11 * CYCLE, "one at a time");
    }
    cr_expect_eq(kit_statistic(rig.kit, "max_requests"), 1);
    cr_expect_gt(kit_statistic(rig.kit, "request_wait_cycles"), 60);
    kit_destroy(rig.kit);
}

Test(host_bus, a_slow_target_does_not_hold_up_another)
{
    rig rig;
    open_bus(&rig, NULL);
    rig.latency[0] = 1000;
    request(&rig, 0, 0x10000, 4, 1, 0);
    request(&rig, 0, 0x20000, 4, 2, 0);
    hd_packet *first = answer(&rig, 0);
    cr_expect_eq(first->tag, 2);
    kit_free(rig.kit, first);
    kit_free(rig.kit, answer(&rig, 0));
    kit_destroy(rig.kit);
}

Test(host_bus, waits_asleep_for_credits)
{
    rig rig;
    open_bus(&rig, NULL);
    kit_hold_credits(rig.kit, PORT_INITIATOR, 0, 1);
    for (uint32_t i = 0; i < 6; i++)
        request(&rig, 0, i % 2 ? 0x50000 : 0x10000, 4, i, 0);
    kit_run_until(rig.kit, 500 * CYCLE);
    cr_expect_eq(kit_waiting(rig.kit, PORT_INITIATOR, 0), 4);
    cr_expect_eq(kit_next(rig.kit), HD_NEVER);
    kit_release_credits(rig.kit, PORT_INITIATOR, 0, 4, 600 * CYCLE);
    kit_run_until(rig.kit, 700 * CYCLE);
    cr_expect_eq(kit_waiting(rig.kit, PORT_INITIATOR, 0), 6);
    kit_destroy(rig.kit);
}

Test(host_bus, an_answer_that_nobody_asked_for_is_reported)
{
    rig rig;
    open_bus(&rig, NULL);
    kit_expect_fault(rig.kit);
    kit_send(rig.kit, PORT_TARGET, 1, kit_packet(rig.kit, HD_MEMORY_RESPONSE, 0), 0);
    kit_run_until(rig.kit, 10 * CYCLE);
    cr_expect_str_eq(kit_fault_text(rig.kit), "target[1]: a response to an access that was not made");
    kit_destroy(rig.kit);
}

static uint32_t line_count;
static void count_line(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
    line_count++;
}

Test(host_bus, says_what_it_waits_for)
{
    rig rig;
    const hd_text_sink sink = {NULL, count_line};
    open_bus(&rig, NULL);
    rig.latency[1] = 500;
    request(&rig, 0, 0x20010, 4, 0, 0);
    kit_run_until(rig.kit, 100 * CYCLE);
    const hd_pending *pending = hd_host_bus_decoder.extension(kit_instance(rig.kit), HD_EXTENSION_PENDING);
    cr_expect(pending->has_work(kit_instance(rig.kit)));
    pending->describe(kit_instance(rig.kit), &sink);
    cr_expect_eq(line_count, 1);
    const hd_mark *mark = hd_host_bus_decoder.extension(kit_instance(rig.kit), HD_EXTENSION_MARK);
    kit_run_until(rig.kit, 1000 * CYCLE);
    mark->mark(kit_instance(rig.kit));
    cr_expect_eq(kit_statistic(rig.kit, "max_requests"), 0);
    cr_expect_not(pending->has_work(kit_instance(rig.kit)));
    kit_destroy(rig.kit);
}

static uint32_t windows_for_all(void *context, uint32_t endpoint, uint32_t port, hd_bus_window *into, uint32_t capacity)
{
    (void)context;
    (void)endpoint;
    (void)port;
    for (uint32_t i = 0; i < 3 && i < capacity; i++)
        into[i] = map[i];
    return 3;
}

static rig shared;
static const hd_bus_map shared_map = {NULL, windows_for_all};

static void connect_ports(kit_block *kit)
{
    kit_provide(kit, HD_EXTENSION_BUS_MAP, &shared_map);
    kit_connect(kit, PORT_INITIATOR, 0, 2, 1);
    kit_connect(kit, PORT_INITIATOR, 1, 1, 3);
    for (uint32_t i = 0; i < TARGETS; i++) {
        kit_connect(kit, PORT_TARGET, i, 1 + i, 1 + i % 2);
        shared.latency[i] = 5 + 7 * i;
    }
    kit_respond(kit, respond, &shared);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = 0;
    for (uint32_t i = 0; i < 200; i++) {
        const uint32_t is_write = kit_random(&seed) % 2, bytes = 1u << kit_random(&seed) % 7;
        hd_packet *packet = kit_packet(kit, is_write ? HD_MEMORY_WRITE : HD_MEMORY_READ, is_write ? bytes : 0);
        packet->address = 0x10000 * (kit_random(&seed) % 4 + 1) + 64 * (kit_random(&seed) % 32);
        packet->argument = bytes;
        packet->wire_bytes = HD_HEADER_WIRE_BYTES + packet->body_bytes;
        packet->tag = i;
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 60000;
        kit_send(kit, PORT_INITIATOR, (uint32_t)(kit_random(&seed) % 2), packet, t);
    }
}

Test(host_bus, conforms, .timeout = 120)
{
    cr_expect_eq(kit_conformance(&hd_host_bus_decoder, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_host_bus_decoder, (const char *[]){"width=3 B", "requests=2", NULL}, connect_ports,
                                 random_load),
                 0);
}

Test(host_bus, a_trace_shows_accesses_and_what_nobody_has)
{
    rig rig;
    uint32_t count;
    open_bus(&rig, NULL);
    kit_record(rig.kit);
    request(&rig, 1, 0x20010, 64, 5, 3 * CYCLE);
    request(&rig, 0, 0x10000, 4, 6, 4 * CYCLE);
    kit_free(rig.kit, answer(&rig, 1));
    kit_free(rig.kit, answer(&rig, 0));
    cr_expect_eq(status_of(&rig, 0x40000, 4), HD_STATUS_ADDRESS_ERROR);
    const kit_traced *all = kit_recorded(rig.kit, &count);
    cr_assert_eq(kit_recorded_count(rig.kit, "read"), 2);
    cr_expect_eq(kit_recorded_count(rig.kit, "unmapped"), 1);
    cr_expect_eq(all[0].t, 3 * CYCLE);
    cr_expect_str_eq(all[0].track, "access[0]");
    cr_expect_arr_eq(all[0].values, ((uint64_t[]){0x20010, 64, 1, 1}), sizeof all[0].values);
    uint64_t most = 0, last = 0;
    for (uint32_t i = 0; i < count; i++)
        if (all[i].form == HD_TRACED_COUNTER) {
            last = all[i].values[0];
            most = last > most ? last : most;
        }
    cr_expect_eq(most, 2);
    cr_expect_eq(last, 0);
    kit_destroy(rig.kit);
}
