/* SPDX-License-Identifier: MIT */
/* The test kit itself: what it lets a test see, and that the conformance suite finds what it is for. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "example_blocks.h"
#include "kit.h"
#include "kit_internal.h"

/* ---- Values --------------------------------------------------------------------------------------------------------- */

static uint64_t parsed(uint32_t unit, const char *text)
{
    const hd_parameter parameter = {.name = "p", .type = HD_TYPE_UNSIGNED, .unit = unit};
    hd_value value;
    const char *wrong = kit_parse_value(&parameter, text, &value);
    cr_expect_null(wrong, "'%s' %s", text, wrong ? wrong : "");
    return value.u;
}

static const char *refused(uint32_t unit, const char *text)
{
    const hd_parameter parameter = {.name = "p", .type = HD_TYPE_UNSIGNED, .unit = unit, .minimum = 2, .maximum = 9};
    hd_value value;
    const char *wrong = kit_parse_value(&parameter, text, &value);
    return wrong ? wrong : "accepted";
}

Test(kit, values_have_the_units_of_a_netlist)
{
    cr_expect_eq(parsed(HD_UNITLESS, "48"), 48);
    cr_expect_eq(parsed(HD_UNITLESS, "0x30"), 48);
    cr_expect_eq(parsed(HD_UNIT_BYTES, "48 KiB"), 49152);
    cr_expect_eq(parsed(HD_UNIT_BYTES, "1.5 MiB"), 1572864);
    cr_expect_eq(parsed(HD_UNIT_CYCLES, "5 cycles"), 5);
    cr_expect_eq(parsed(HD_UNIT_CYCLES, "1 cycle"), 1);
    cr_expect_eq(parsed(HD_UNIT_SECONDS, "3.9 us"), 3900000);
    cr_expect_eq(parsed(HD_UNIT_HERTZ, "924 MHz"), 924000000);
    cr_expect_str_eq(refused(HD_UNITLESS, "3 B"), "has a unit and takes none");
    cr_expect_str_eq(refused(HD_UNIT_BYTES, "3"), "has no unit");
    cr_expect_str_eq(refused(HD_UNIT_BYTES, "3 us"), "has the wrong unit");
    cr_expect_str_eq(refused(HD_UNIT_BYTES, "2.5 B"), "is not a whole number");
    cr_expect_str_eq(refused(HD_UNITLESS, "1"), "is out of range");
    cr_expect_str_eq(refused(HD_UNITLESS, "10"), "is out of range");
    cr_expect_str_eq(refused(HD_UNITLESS, "-3"), "is not a number");
}

Test(kit, a_refusal_carries_the_text_of_the_block)
{
    char error[256];
    cr_expect(
        kit_refuses(&example_delayer, (const char *[]){"most=2 cycles", "least=3 cycles", NULL}, error, sizeof error));
    cr_expect_str_eq(error, "block: most is less than least");
    cr_expect(kit_refuses(&example_delayer, (const char *[]){"room=17", NULL}, error, sizeof error));
    cr_expect_str_eq(error, "room: '17' is out of range");
    cr_expect_not(kit_refuses(&example_delayer, NULL, error, sizeof error));
}

/* ---- The test as the other end --------------------------------------------------------------------------------------- */

static kit_block *delayer(void)
{
    kit_block *kit = kit_create(&example_delayer, (const char *[]){"least=3 cycles", "most=3 cycles", NULL});
    kit_connect(kit, EXAMPLE_DELAYER_IN, 0, 1, 2);
    kit_connect(kit, EXAMPLE_DELAYER_OUT, 0, 2, 1);
    return kit;
}

Test(kit, a_packet_takes_as_long_as_the_block_and_its_link)
{
    kit_block *kit = delayer();
    kit_send(kit, EXAMPLE_DELAYER_IN, 0, kit_packet(kit, EXAMPLE_MESSAGE, 0), 4000);
    const hd_time expected = 4000 + kit_cycles(kit, 3) + kit_cycles(kit, 2);
    cr_expect_null(kit_receive(kit, EXAMPLE_DELAYER_OUT, 0, expected - 1));
    hd_packet *packet = kit_receive(kit, EXAMPLE_DELAYER_OUT, 0, expected);
    cr_assert_not_null(packet);
    cr_expect_eq(kit_received_at(kit), expected);
    cr_expect_str_eq(kit_message_name(kit, packet->message), EXAMPLE_MESSAGE);
    kit_free(kit, packet);
    uint32_t count;
    const kit_event *trace = kit_trace(kit, &count);
    cr_assert_eq(count, 1);
    cr_expect_eq(trace[0].t, 7000);
    cr_expect_eq(trace[0].port, EXAMPLE_DELAYER_OUT);
    cr_expect_eq(kit_statistic(kit, "delayed"), 1);
    kit_destroy(kit);
}

Test(kit, held_credits_starve_the_block_and_released_ones_wake_it)
{
    kit_block *kit = delayer();
    kit_hold_credits(kit, EXAMPLE_DELAYER_OUT, 0, 1);
    for (uint32_t i = 0; i < 2; i++)
        kit_send(kit, EXAMPLE_DELAYER_IN, 0, kit_packet(kit, EXAMPLE_MESSAGE, 0), 0);
    kit_run_until(kit, 100000);
    cr_expect_eq(kit_waiting(kit, EXAMPLE_DELAYER_OUT, 0), 1, "one credit, one packet");
    cr_expect_eq(kit_next(kit), HD_NEVER, "it sleeps");
    cr_expect_eq(kit_release_credits(kit, EXAMPLE_DELAYER_OUT, 0, 5, 100000), 1);
    kit_free(kit, kit_receive(kit, EXAMPLE_DELAYER_OUT, 0, 100000));
    cr_expect_null(kit_receive(kit, EXAMPLE_DELAYER_OUT, 0, 103999));
    hd_packet *second = kit_receive(kit, EXAMPLE_DELAYER_OUT, 0, 104000);
    cr_expect_not_null(second, "two cycles for the credit, two for the packet");
    kit_free(kit, second);
    kit_destroy(kit);
}

Test(kit, packets_beyond_the_credits_wait_at_the_test)
{
    kit_block *kit = delayer();
    for (uint32_t i = 0; i < 10; i++)
        kit_send(kit, EXAMPLE_DELAYER_IN, 0, kit_packet(kit, EXAMPLE_MESSAGE, 0), 0);
    cr_expect_eq(kit_unsent(kit, EXAMPLE_DELAYER_IN, 0), 8);
    kit_drain(kit, 1000000);
    cr_expect_eq(kit_unsent(kit, EXAMPLE_DELAYER_IN, 0), 0);
    cr_expect_eq(kit_waiting(kit, EXAMPLE_DELAYER_OUT, 0), 10);
    kit_destroy(kit);
}

static uint32_t send_back(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    uint32_t *left = context;
    (void)port;
    if (*left == 0)
        return 0;
    (*left)--;
    kit_send(kit, EXAMPLE_DELAYER_IN, element, packet, t + 1000);
    return 1;
}

Test(kit, a_responder_answers_while_the_block_runs)
{
    uint32_t left = 5;
    kit_block *kit = delayer();
    kit_respond(kit, send_back, &left);
    kit_send(kit, EXAMPLE_DELAYER_IN, 0, kit_packet(kit, EXAMPLE_MESSAGE, 0), 0);
    kit_drain(kit, 1000000);
    cr_expect_eq(left, 0);
    cr_expect_eq(kit_statistic(kit, "delayed"), 6);
    cr_expect_eq(kit_waiting(kit, EXAMPLE_DELAYER_OUT, 0), 1);
    kit_free(kit, kit_receive(kit, EXAMPLE_DELAYER_OUT, 0, kit_now(kit)));
    cr_expect_eq(kit_received_at(kit), 6 * 5000 + 5 * 1000);
    kit_destroy(kit);
}

Test(kit, faults_are_kept_when_they_are_expected)
{
    kit_block *kit = kit_create(&example_forwarder, NULL);
    kit_expect_fault(kit);
    kit_name(kit, "network", 0, 1);
    kit_connect(kit, EXAMPLE_FORWARDER_IN, 0, 1, 1);
    kit_connect(kit, EXAMPLE_FORWARDER_OUT, 0, 1, 1);
    kit_route(kit, EXAMPLE_FORWARDER_OUT, 9, UINT32_MAX);
    hd_packet *packet = kit_packet(kit, EXAMPLE_MESSAGE, 0);
    packet->destination = 9;
    kit_send(kit, EXAMPLE_FORWARDER_IN, 0, packet, 3000);
    kit_run_until(kit, 10000);
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_str_eq(kit_fault_text(kit), "network: no way to endpoint 9");
    cr_expect_eq(kit_fault_time(kit), 3000);
    kit_destroy(kit);
}

Test(kit, rendezvous_take_every_clock_in_use_into_account)
{
    kit_block *kit = kit_create(&example_requester, (const char *[]){"requests=0", NULL});
    kit_clock(kit, 1400000000);
    kit_other_clock(kit, 924000000);
    kit_connect(kit, EXAMPLE_REQUESTER_MEMORY, 0, 1, 1);
    kit_drain(kit, 1000000);
    uint32_t count;
    const kit_rendezvous *kept = kit_rendezvous_kept(kit, &count);
    cr_assert_eq(count, 1);
    cr_expect_eq(kept[0].t, hd_clock_edge((hd_clock){28000000}, 2));
    cr_expect_eq(kept[0].what, HD_RENDEZVOUS_ALIGN | HD_RENDEZVOUS_KERNEL_END);
    kit_destroy(kit);
}

static void keep_address(kit_block *kit, void *context, uint64_t address, const void *data, uint32_t bytes)
{
    (void)kit;
    (void)data;
    *(uint64_t *)context = address + bytes;
}

Test(kit, a_write_back_reaches_the_test)
{
    uint64_t end = 0;
    kit_block *kit = kit_create(&example_requester, (const char *[]){"requests=0", NULL});
    kit_on_write_back(kit, keep_address, &end);
    kit_align(kit);
    cr_expect_eq(end, EXAMPLE_DIRTY_ADDRESS + 8);
    kit_destroy(kit);
}

Test(kit, the_block_sees_the_endpoint_and_the_address_map_of_the_test)
{
    kit_block *kit = kit_create(&example_sink, NULL);
    kit_endpoint(kit, 5);
    kit_address_map(kit, 3, 512, NULL);
    kit_start(kit);
    const hd_services *services = hd_engine_services(kit->engine, kit->block);
    cr_expect_eq(services->endpoint, 5);
    const hd_address_map *map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    cr_expect_eq(map->partitions, 3);
    cr_expect_eq(map->interleave_bytes, 512);
    cr_expect_eq(map->endpoints[2], 3);
    kit_destroy(kit);
}

/* ---- What the suite has to find --------------------------------------------------------------------------------------- */

/* Sinks with one fault each, made by replacing a function of the good one. */

enum { LOAD_PACKETS = 30 };

static void sink_load(kit_block *kit, uint64_t seed)
{
    for (uint32_t i = 0; i < LOAD_PACKETS; i++)
        kit_send(kit, EXAMPLE_SINK_IN, 0, kit_packet(kit, EXAMPLE_MESSAGE, 16), i * 700 + seed);
}

static hd_time counts_calls(hd_block *block, hd_time now, hd_time horizon)
{
    const hd_time next = example_sink.advance(block, now, horizon);
    ((uint64_t *)(uintptr_t)example_sink.counters(block))[2] += 1;
    return next;
}

static uint64_t global;

static hd_time has_a_global(hd_block *block, hd_time now, hd_time horizon)
{
    const uint64_t *counters = example_sink.counters(block);
    const uint64_t before = counters[0];
    const hd_time next = example_sink.advance(block, now, horizon);
    global += counters[0] - before;
    if (counters[0] > before)
        ((uint64_t *)(uintptr_t)counters)[1] += global;
    return next;
}

static void forgets_to_reset(hd_block *block)
{
    const uint64_t kept = example_sink.counters(block)[1];
    example_sink.reset(block);
    ((uint64_t *)(uintptr_t)example_sink.counters(block))[1] = kept;
}

/* Of what it has in hand when it is reset. */
static void loses_a_packet(hd_block *block)
{
    const hd_services *services = *(const hd_services *const *)block;
    const uint64_t taken = example_sink.counters(block)[0];
    if (taken > 0 && taken < LOAD_PACKETS)
        services->alloc(services->context, 0);
    example_sink.reset(block);
}

static hd_time never_takes(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block;
    (void)now;
    (void)horizon;
    return HD_NEVER;
}

static hd_time never_sleeps(hd_block *block, hd_time now, hd_time horizon)
{
    const hd_time next = example_sink.advance(block, now, horizon);
    return next == HD_NEVER ? horizon + 100000000 : next;
}

static hd_block *refuses_in_silence(const hd_services *services, const hd_value *values, char *error, size_t bytes)
{
    return values[0].u == 1 ? NULL : example_sink.create(services, values, error, bytes);
}

static uint32_t findings(hd_block_class block_class)
{
    return kit_conformance(&block_class, (const char *[]){"interval=2 cycles", NULL}, NULL, sink_load);
}

#define FINDS(field_, value_)                                                                                          \
    do {                                                                                                               \
        hd_block_class planted = example_sink;                                                                         \
        planted.field_ = value_;                                                                                       \
        cr_expect_gt(findings(planted), 0, #field_ " = " #value_);                                                     \
    } while (0)

Test(kit, the_suite_finds_planted_bugs)
{
    cr_expect_eq(findings(example_sink), 0);
    FINDS(advance, counts_calls);
    FINDS(advance, has_a_global);
    FINDS(advance, never_takes);
    FINDS(advance, never_sleeps);
    FINDS(reset, forgets_to_reset);
    FINDS(reset, loses_a_packet);
    FINDS(create, refuses_in_silence);
}

Test(kit, the_suite_finds_unsound_tables)
{
    static const hd_parameter bad_default[] = {
        {.name = "interval", .type = HD_TYPE_UNSIGNED, .standard = "5", .minimum = 1, .maximum = 4, .doc = "x"}};
    static const hd_port twins[] = {
        {.name = "in", .direction = HD_PORT_RECEIVE, .maximum_count = 1, .credits = 1, .doc = "x"},
        {.name = "in", .direction = HD_PORT_RECEIVE, .maximum_count = 1, .credits = 1, .doc = "x"}};
    static const hd_message_use nowhere[] = {{.name = "a/1", .direction = HD_MESSAGE_SENT, .port = "elsewhere"}};
    static const hd_message_use unversioned[] = {{.name = "a", .direction = HD_MESSAGE_RECEIVED, .port = "in"}};
    cr_expect_eq(kit_check_declaration(&example_sink), 0);
    FINDS(parameters, bad_default);
    FINDS(messages, nowhere);
    FINDS(messages, unversioned);
    FINDS(doc, "");
    FINDS(source, NULL);
    hd_block_class planted = example_sink;
    planted.ports = twins;
    planted.port_count = 2;
    cr_expect_gt(kit_check_declaration(&planted), 0);
}
