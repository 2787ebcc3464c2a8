/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "hd_host.h"
#include "interrupt_controller.h"
#include "kit.h"

enum { PORT_BUS, PORT_SOURCE, PORT_INTERRUPT, PORT_LINE };
enum { CYCLE = 1000, PENDING = 0x1000, ENABLED = 0x2000, THRESHOLD = 0x200000, CLAIM = 0x200004 };
#define BASE HD_HOST_INTERRUPT_CONTROLLER_BASE

static kit_block *open_controller(void)
{
    kit_block *kit = kit_create(&hd_interrupt_controller_plic, NULL);
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    for (uint32_t element = 0; element < 3; element++)
        kit_connect(kit, PORT_SOURCE, element, 1, 8);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 4);
    for (uint32_t line = 0; line < 2; line++)
        kit_connect(kit, PORT_LINE, line, 1, 4);
    return kit;
}

/* What a debugger has seen before, and has left there. */
static uint32_t get(kit_block *kit, uint64_t offset)
{
    uint64_t value = 0;
    uint32_t seen = ~0u;
    cr_expect_eq(kit_register_peek(kit, BASE + offset, &seen, 4), 4);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + offset, 4, &value), HD_STATUS_OK);
    cr_expect_eq(seen, value, "register 0x%llx", (unsigned long long)offset);
    return (uint32_t)value;
}

static void put(kit_block *kit, uint64_t offset, uint32_t value)
{
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + offset, 4, value), HD_STATUS_OK);
}

static void event(kit_block *kit, uint32_t element, uint32_t line)
{
    hd_packet *packet = kit_packet(kit, HD_INTERRUPT, 0);
    packet->argument = line;
    kit_send(kit, PORT_SOURCE, element, packet, kit_now(kit));
    kit_run_until(kit, kit_now(kit) + 10 * CYCLE);
}

/* The level of the hart's external interrupt, after all that was told. */
static uint32_t level(kit_block *kit, uint32_t before)
{
    hd_packet *packet;
    kit_run_until(kit, kit_now(kit) + 10 * CYCLE);
    while ((packet = kit_receive(kit, PORT_INTERRUPT, 0, kit_now(kit)))) {
        cr_expect_eq(packet->argument, 11);
        before = (uint32_t)packet->tag;
        kit_free(kit, packet);
    }
    return before;
}

Test(interrupt_controller, an_event_interrupts_if_it_is_enabled_and_has_a_priority)
{
    kit_block *kit = open_controller();
    event(kit, 0, 1);
    cr_expect_eq(level(kit, 0), 0);
    cr_expect_eq(get(kit, PENDING), 1 << 2);
    put(kit, ENABLED, 1 << 2);
    cr_expect_eq(level(kit, 0), 0, "its priority is 0");
    put(kit, 4 * 2, 3);
    cr_expect_eq(level(kit, 0), 1);
    put(kit, THRESHOLD, 3);
    cr_expect_eq(level(kit, 1), 0);
    put(kit, THRESHOLD, 2);
    cr_expect_eq(level(kit, 0), 1);
    cr_expect_eq(get(kit, CLAIM), 2);
    cr_expect_eq(level(kit, 1), 0);
    cr_expect_eq(get(kit, PENDING), 0);
    cr_expect_eq(get(kit, CLAIM), 0);
    kit_destroy(kit);
}

Test(interrupt_controller, the_highest_priority_is_claimed_first_then_the_lowest_number)
{
    kit_block *kit = open_controller();
    put(kit, ENABLED, UINT32_MAX);
    cr_expect_eq(get(kit, ENABLED), 0xFFFFFFFE, "31 sources");
    put(kit, 4 * 1, 1);
    put(kit, 4 * 9, 5);
    put(kit, 4 * 10, 5);
    event(kit, 0, 0);
    event(kit, 2, 1);
    event(kit, 2, 0);
    cr_expect_eq(get(kit, CLAIM), 9);
    cr_expect_eq(get(kit, CLAIM), 10);
    cr_expect_eq(get(kit, CLAIM), 1);
    cr_expect_eq(kit_statistic(kit, "claims"), 3);
    cr_expect_eq(kit_statistic(kit, "events"), 3);
    kit_destroy(kit);
}

Test(interrupt_controller, the_highest_number_has_a_priority_as_all_others_have)
{
    kit_block *kit = kit_create(&hd_interrupt_controller_plic, NULL);
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    for (uint32_t element = 0; element < 7; element++)
        kit_connect(kit, PORT_SOURCE, element, 1, 8);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 4);
    put(kit, ENABLED, UINT32_MAX);
    for (uint32_t source = 1; source <= 28; source++) {
        put(kit, 4 * source, 8 + (source + 1) % 7); /* three bits of it count: 0 to 6 */
        cr_expect_eq(get(kit, 4 * source), (source + 1) % 7);
        event(kit, (source - 1) / 4, (source - 1) % 4);
    }
    for (uint32_t priority = 6; priority > 0; priority--)
        for (uint32_t source = 1; source <= 28; source++)
            if ((source + 1) % 7 == priority)
                cr_expect_eq(get(kit, CLAIM), source);
    cr_expect_eq(get(kit, CLAIM), 0, "those of priority 0 never interrupt");
    kit_destroy(kit);
}

/* Platform-Level Interrupt Controller 1.0, ch. 8: the threshold does not affect the claim. */
Test(interrupt_controller, a_claim_is_answered_whatever_the_threshold)
{
    kit_block *kit = open_controller();
    put(kit, ENABLED, 1 << 1);
    put(kit, 4, 2);
    put(kit, THRESHOLD, 7 + 8);
    cr_expect_eq(get(kit, THRESHOLD), 7);
    event(kit, 0, 0);
    cr_expect_eq(level(kit, 0), 0);
    cr_expect_eq(get(kit, CLAIM), 1);
    kit_destroy(kit);
}

Test(interrupt_controller, events_during_handling_are_kept_until_it_is_complete)
{
    kit_block *kit = open_controller();
    put(kit, ENABLED, 2);
    put(kit, 4, 1);
    event(kit, 0, 0);
    cr_expect_eq(get(kit, CLAIM), 1);
    event(kit, 0, 0);
    event(kit, 0, 0);
    cr_expect_eq(level(kit, 1), 0);
    cr_expect_eq(get(kit, CLAIM), 0);
    for (uint32_t i = 0; i < 2; i++) {
        put(kit, CLAIM, 1);
        cr_expect_eq(level(kit, 0), 1);
        cr_expect_eq(get(kit, CLAIM), 1);
    }
    put(kit, CLAIM, 1);
    cr_expect_eq(level(kit, 1), 0);
    kit_destroy(kit);
}

Test(interrupt_controller, a_line_that_no_device_has_is_reported)
{
    kit_block *kit = open_controller();
    kit_expect_fault(kit);
    event(kit, 2, 4);
    cr_expect_str_eq(kit_fault_text(kit), "source[2]: a device has 4 interrupt lines, this event is of line 4");
    kit_destroy(kit);
}

Test(interrupt_controller, what_is_no_register_is_refused)
{
    kit_block *kit = open_controller();
    uint64_t value;
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + CLAIM, 8, &value), HD_STATUS_BURST_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + THRESHOLD, 8, &value), HD_STATUS_BURST_ERROR);
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + CLAIM, 2, 0), HD_STATUS_BURST_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + 4 * 32, 4, &value), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE, 4, 1), HD_STATUS_ADDRESS_ERROR, "there is no source 0");
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + PENDING, 4, 1), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + CLAIM, 4, 32), HD_STATUS_ADDRESS_ERROR);
    kit_destroy(kit);
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_BUS, 0, 2, 2);
    for (uint32_t element = 0; element < 7; element++)
        kit_connect(kit, PORT_SOURCE, element, 1 + element % 3, 1 + element % 2);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 1);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    static const uint64_t offsets[] = {4, 8, 4 * 25, PENDING, ENABLED, THRESHOLD, CLAIM, CLAIM};
    hd_time t = 0;
    for (uint32_t i = 0; i < 120; i++) {
        t += kit_random(&seed) % 9000;
        if (kit_random(&seed) % 2) {
            hd_packet *packet = kit_packet(kit, HD_INTERRUPT, 0);
            packet->argument = (uint32_t)(kit_random(&seed) % 4);
            kit_send(kit, PORT_SOURCE, i % 2 ? 0 : 6, packet, t);
            continue;
        }
        const uint32_t is_write = kit_random(&seed) % 2, value = (uint32_t)(kit_random(&seed) % 8);
        hd_packet *packet = kit_packet(kit, is_write ? HD_MEMORY_WRITE : HD_MEMORY_READ, is_write ? 4 : 0);
        packet->address = BASE + offsets[kit_random(&seed) % 8];
        packet->argument = 4;
        memcpy(hd_body(packet), &value, packet->body_bytes);
        kit_send(kit, PORT_BUS, 0, packet, t);
    }
}

Test(interrupt_controller, conforms, .timeout = 120)
{
    cr_expect_eq(kit_conformance(&hd_interrupt_controller_plic, NULL, connect_ports, random_load), 0);
}

Test(interrupt_controller, a_trace_shows_events_claims_and_the_level)
{
    static const char *const expected[] = {"interrupt.event", "external_interrupt", "interrupt.claim",
                                           "external_interrupt"};
    static const uint64_t values[] = {6, 1, 6, 0};
    kit_block *kit = open_controller();
    uint32_t count;
    kit_record(kit);
    put(kit, ENABLED, 1 << 6);
    put(kit, 6 * 4, 1);
    event(kit, 1, 1);
    cr_expect_eq(get(kit, CLAIM), 6);
    const kit_traced *all = kit_recorded(kit, &count);
    cr_assert_eq(count, 4);
    for (uint32_t i = 0; i < count; i++) {
        cr_expect_str_eq(all[i].event, expected[i]);
        cr_expect_eq(all[i].values[0], values[i]);
    }
    kit_destroy(kit);
}

static void set_line(kit_block *kit, uint32_t line, uint32_t to)
{
    hd_packet *packet = kit_packet(kit, HD_INTERRUPT_LEVEL, 0);
    packet->tag = to;
    kit_send(kit, PORT_LINE, line, packet, kit_now(kit));
    kit_run_until(kit, kit_now(kit) + 10 * CYCLE);
}

Test(interrupt_controller, a_line_interrupts_as_long_as_it_is_up)
{
    enum { SOURCE = 30 };
    kit_block *kit = open_controller();
    put(kit, ENABLED, 1 << SOURCE);
    put(kit, 4 * SOURCE, 1);
    set_line(kit, 1, 1);
    set_line(kit, 1, 1);
    cr_expect_eq(level(kit, 0), 1);
    cr_expect_eq(get(kit, CLAIM), SOURCE);
    cr_expect_eq(level(kit, 1), 0, "while it is being handled");
    put(kit, CLAIM, SOURCE);
    cr_expect_eq(level(kit, 0), 1, "it is still up");
    cr_expect_eq(get(kit, CLAIM), SOURCE);
    set_line(kit, 1, 0);
    put(kit, CLAIM, SOURCE);
    cr_expect_eq(level(kit, 0), 0);
    cr_expect_eq(get(kit, PENDING), 0);
    cr_expect_eq(kit_statistic(kit, "events"), 1, "it has risen once");
    kit_destroy(kit);
}

Test(interrupt_controller, one_of_the_harts_has_the_claim)
{
    enum { ENABLED_1 = ENABLED + 0x80, THRESHOLD_1 = THRESHOLD + 0x1000, CLAIM_1 = CLAIM + 0x1000 };
    kit_block *kit = kit_create(&hd_interrupt_controller_plic, (const char *[]){"harts=2", NULL});
    uint64_t value;
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    kit_connect(kit, PORT_SOURCE, 0, 1, 8);
    for (uint32_t hart = 0; hart < 2; hart++)
        kit_connect(kit, PORT_INTERRUPT, hart, 1, 4);
    put(kit, 4 * 1, 3);
    put(kit, ENABLED_1, 1 << 1);
    event(kit, 0, 0);
    cr_expect_eq(level(kit, 0), 0, "hart 0 has not enabled it");
    hd_packet *packet = kit_receive(kit, PORT_INTERRUPT, 1, kit_now(kit));
    cr_assert_not_null(packet);
    cr_expect_eq(packet->tag, 1);
    kit_free(kit, packet);
    put(kit, ENABLED, 1 << 1);
    cr_expect_eq(level(kit, 0), 1);
    put(kit, THRESHOLD_1, 3);
    cr_expect_eq(get(kit, THRESHOLD), 0);
    cr_expect_eq(get(kit, CLAIM), 1);
    cr_expect_eq(get(kit, CLAIM_1), 0, "hart 0 has it");
    put(kit, CLAIM, 1);
    cr_expect_eq(level(kit, 1), 0);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + ENABLED + 0x100, 4, &value), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + CLAIM + 0x2000, 4, &value), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + ENABLED + 4, 4, &value), HD_STATUS_ADDRESS_ERROR);
    kit_destroy(kit);
}
