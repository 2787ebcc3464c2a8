/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "hd_host.h"
#include "kit.h"
#include "timer.h"

enum { PORT_BUS, PORT_INTERRUPT };
enum { CYCLE = 1000, MSIP = 0, MTIMECMP = 0x4000, MTIME = 0xBFF8, SOFTWARE = 3, TIMER = 7 };
#define BASE HD_HOST_TIMER_BASE

static kit_block *open_timer(const char *const *parameters)
{
    kit_block *kit = kit_create(&hd_timer_clint, parameters);
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 4);
    return kit;
}

static uint64_t get(kit_block *kit, uint64_t offset, uint32_t bytes)
{
    uint64_t value = 0, seen = 0;
    cr_expect_eq(kit_register_peek(kit, BASE + offset, &seen, bytes), bytes);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + offset, bytes, &value), HD_STATUS_OK);
    cr_expect(value - seen <= 1, "a debugger sees %llu", (unsigned long long)seen); /* a read takes time */
    return value;
}

static void put(kit_block *kit, uint64_t offset, uint32_t bytes, uint64_t value)
{
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + offset, bytes, value), HD_STATUS_OK);
}

/* The next level that the hart is told, or UINT32_MAX. */
static uint32_t told(kit_block *kit, uint32_t line, hd_time until, hd_time *at)
{
    hd_packet *packet = kit_receive(kit, PORT_INTERRUPT, 0, until);
    if (!packet)
        return UINT32_MAX;
    cr_expect_eq(packet->argument, line);
    *at = kit_received_at(kit);
    const uint32_t level = (uint32_t)packet->tag;
    kit_free(kit, packet);
    return level;
}

Test(timer, mtime_counts_ticks_from_time_0)
{
    kit_block *kit = open_timer((const char *[]){"tick=10 MHz", NULL});
    kit_run_until(kit, 99999 * CYCLE);
    cr_expect_eq(get(kit, MTIME, 8), 999, "99.999 us are 999 ticks of 100 ns");
    kit_run_until(kit, 200000 * CYCLE);
    cr_expect_eq(get(kit, MTIME, 4), 2000);
    cr_expect_eq(get(kit, MTIME + 4, 4), 0);
    put(kit, MTIME, 8, UINT64_C(0x100000005));
    kit_run_until(kit, 300000 * CYCLE);
    const uint64_t later = get(kit, MTIME, 8);
    cr_expect(later >= UINT64_C(0x100000005) + 998 && later <= UINT64_C(0x100000005) + 1000);
    put(kit, MTIME + 4, 4, 0);
    cr_expect_lt(get(kit, MTIME, 8), 2000);
    kit_destroy(kit);
}

Test(timer, the_timer_interrupt_follows_the_comparison)
{
    kit_block *kit = open_timer((const char *[]){"tick=1 MHz", NULL});
    hd_time at;
    put(kit, MTIMECMP, 8, 50);
    cr_expect_eq(told(kit, TIMER, 100000 * CYCLE, &at), 1);
    cr_expect_eq(at, (50000 + 1) * CYCLE, "at 50 us, a link later");
    put(kit, MTIMECMP, 4, 500);
    cr_expect_eq(told(kit, TIMER, 200000 * CYCLE, &at), 0);
    cr_expect_eq(told(kit, TIMER, 600000 * CYCLE, &at), 1);
    cr_expect_eq(at, (500000 + 1) * CYCLE);
    put(kit, MTIME, 8, 3);
    cr_expect_eq(told(kit, TIMER, 700000 * CYCLE, &at), 0, "mtime was put back");
    put(kit, MTIMECMP + 4, 4, 1);
    cr_expect_eq(told(kit, TIMER, 10000000 * (hd_time)CYCLE, &at), UINT32_MAX);
    cr_expect_eq(kit_statistic(kit, "timer_interrupts"), 2);
    kit_destroy(kit);
}

Test(timer, firmware_raises_and_takes_back_the_software_interrupt)
{
    kit_block *kit = open_timer(NULL);
    hd_time at;
    put(kit, MSIP, 4, 0xFF);
    cr_expect_eq(get(kit, MSIP, 4), 1);
    cr_expect_eq(told(kit, SOFTWARE, 1000 * CYCLE, &at), 1);
    put(kit, MSIP, 4, 0);
    cr_expect_eq(told(kit, SOFTWARE, 2000 * CYCLE, &at), 0);
    kit_destroy(kit);
}

Test(timer, a_level_is_told_when_a_credit_is_there)
{
    kit_block *kit = open_timer(NULL);
    hd_time at;
    kit_hold_credits(kit, PORT_INTERRUPT, 0, 1);
    for (uint32_t i = 0; i < 6; i++)
        put(kit, MSIP, 4, i % 2 == 0);
    kit_run_until(kit, 1000 * CYCLE);
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(told(kit, SOFTWARE, 1000 * CYCLE, &at), i % 2 == 0);
    put(kit, MSIP, 4, 1);
    cr_expect_eq(told(kit, SOFTWARE, 3000 * CYCLE, &at), UINT32_MAX);
    kit_release_credits(kit, PORT_INTERRUPT, 0, 4, 4000 * CYCLE);
    cr_expect_eq(told(kit, SOFTWARE, 5000 * CYCLE, &at), 1, "what it is now");
    kit_destroy(kit);
}

Test(timer, what_is_no_register_is_refused)
{
    kit_block *kit = open_timer((const char *[]){"latency=7 cycles", NULL});
    uint64_t value;
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + 8, 4, &value), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + MSIP, 8, &value), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + MTIME, 2, &value), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + 0x10000, 4, &value), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + MTIME + 2, 4, &value), HD_STATUS_BURST_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + MTIME, 3, &value), HD_STATUS_BURST_ERROR);
    hd_packet *masked = kit_packet(kit, HD_MEMORY_WRITE, 8);
    masked->address = BASE + MSIP;
    masked->argument = 4;
    const hd_time sent = kit_now(kit);
    kit_send(kit, PORT_BUS, 0, masked, sent);
    hd_packet *answer = kit_receive(kit, PORT_BUS, 0, sent + 100 * CYCLE);
    cr_expect_eq(answer->argument, HD_STATUS_BYTE_ENABLE_ERROR);
    cr_expect_eq(kit_received_at(kit), sent + (7 + 1) * CYCLE);
    kit_free(kit, answer);
    cr_expect_eq(kit_statistic(kit, "refused"), 7);
    cr_expect_eq(kit_statistic(kit, "accesses"), 0);
    kit_destroy(kit);
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_BUS, 0, 2, 2);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 1);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    static const uint64_t offsets[] = {MSIP, MTIMECMP, MTIMECMP, MTIME, 0x100};
    hd_time t = 0;
    hd_packet *near_packet = kit_packet(kit, HD_MEMORY_WRITE, 8); /* or the first low half is one of a time far away */
    near_packet->address = BASE + MTIMECMP;
    near_packet->argument = 8;
    kit_send(kit, PORT_BUS, 0, near_packet, 0);
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t is_write = kit_random(&seed) % 2;
        hd_packet *packet = kit_packet(kit, is_write ? HD_MEMORY_WRITE : HD_MEMORY_READ, is_write ? 4 : 0);
        const uint32_t value = (uint32_t)(kit_random(&seed) % 40);
        packet->address = BASE + offsets[kit_random(&seed) % 5];
        packet->argument = 4;
        if (is_write)
            *(uint32_t *)hd_body(packet) = value;
        t += kit_random(&seed) % 900000;
        kit_send(kit, PORT_BUS, 0, packet, t);
    }
}

Test(timer, conforms, .timeout = 120)
{
    cr_expect_eq(kit_conformance(&hd_timer_clint, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_timer_clint, (const char *[]){"tick=32768 Hz", "latency=11 cycles", NULL},
                                 connect_ports, random_load),
                 0);
}

Test(timer, a_trace_shows_the_levels_of_its_lines)
{
    kit_block *kit = open_timer((const char *[]){"tick=1 MHz", NULL});
    uint32_t count;
    kit_record(kit);
    put(kit, MTIMECMP, 8, 50);
    kit_run_until(kit, 60000 * CYCLE);
    put(kit, MSIP, 4, 1);
    put(kit, MTIMECMP, 8, 500);
    kit_run_until(kit, 70000 * CYCLE);
    const kit_traced *all = kit_recorded(kit, &count);
    cr_assert_eq(count, 3);
    cr_expect_str_eq(all[0].event, "timer_interrupt");
    cr_expect_eq(all[0].t, 50000 * CYCLE);
    cr_expect_eq(all[0].values[0], 1);
    cr_expect_str_eq(all[1].event, "software_interrupt");
    cr_expect_eq(all[1].values[0], 1);
    cr_expect_str_eq(all[2].event, "timer_interrupt");
    cr_expect_eq(all[2].values[0], 0);
    kit_destroy(kit);
}

Test(timer, each_hart_has_its_own)
{
    kit_block *kit = kit_create(&hd_timer_clint, (const char *[]){"harts=3", "tick=1 MHz", NULL});
    uint64_t value;
    hd_packet *packet;
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    for (uint32_t hart = 0; hart < 3; hart++)
        kit_connect(kit, PORT_INTERRUPT, hart, 1, 4);
    put(kit, MSIP + 8, 4, 1);
    put(kit, MTIMECMP + 8, 8, 50);
    put(kit, MTIMECMP + 16, 8, 70);
    cr_expect_eq(get(kit, MSIP, 4), 0);
    cr_expect_eq(get(kit, MSIP + 8, 4), 1);
    cr_expect_eq(get(kit, MTIMECMP + 8, 8), 50);
    cr_expect_eq(get(kit, MTIMECMP + 20, 4), 0, "the upper half of 70");
    kit_run_until(kit, 100000 * CYCLE);
    cr_expect_null(kit_receive(kit, PORT_INTERRUPT, 0, kit_now(kit)), "nothing is for hart 0");
    packet = kit_receive(kit, PORT_INTERRUPT, 1, kit_now(kit));
    cr_assert_not_null(packet);
    cr_expect(packet->argument == TIMER && packet->tag == 1 && kit_received_at(kit) == (50000 + 1) * CYCLE);
    kit_free(kit, packet);
    for (uint32_t i = 0; i < 2; i++) {
        packet = kit_receive(kit, PORT_INTERRUPT, 2, kit_now(kit));
        cr_assert_not_null(packet);
        cr_expect_eq(packet->argument, i ? TIMER : SOFTWARE);
        kit_free(kit, packet);
    }
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + MSIP + 12, 4, &value), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + MTIMECMP + 24, 8, 0), HD_STATUS_ADDRESS_ERROR);
    kit_destroy(kit);
}
