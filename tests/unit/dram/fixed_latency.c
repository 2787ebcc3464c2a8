/* SPDX-License-Identifier: MIT */
#include "bench.h"

static kit_block *make_fixed(const char *const *parameters, uint32_t credits)
{
    kit_block *kit = kit_create(&hd_dram_fixed_latency, parameters);
    kit_connect(kit, ACCESS, 0, LINK, credits);
    return kit;
}

Test(dram_fixed_latency, takes_its_latency_and_its_turn_on_the_bus)
{
    kit_block *kit = make_fixed((const char *[]){"latency=50 cycles", "bus_bytes=32 B", NULL}, 64);
    read_at(kit, 0, LINE, 1, 0);
    read_at(kit, 1 << 20, LINE, 2, 0);
    write_at(kit, 2 << 20, LINE, 7, 3, 0);
    read_at(kit, 7, 1, 4, 0);
    kit_run_until(kit, 1000 * CYCLE);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(sent_at(kit, i), 4 * (i + 1) + 50);
    cr_expect_eq(sent_at(kit, 3), 4 * 3 + 1 + 50);
    cr_expect_eq(kit_statistic(kit, "bus_busy_cycles"), 13);
    cr_expect_eq(kit_statistic(kit, "reads"), 3);
    cr_expect_eq(kit_statistic(kit, "writes"), 1);
    cr_expect_eq(kit_next(kit), HD_NEVER);
    kit_destroy(kit);
}

Test(dram_fixed_latency, reads_what_was_written_before)
{
    kit_block *kit = make_fixed(NULL, 64);
    write_at(kit, 64, LINE, 0xA5, 1, 0);
    read_at(kit, 128, LINE, 2, 0);
    kit_run_until(kit, 1000 * CYCLE);
    kit_free(kit, kit_receive(kit, ACCESS, 0, kit_now(kit)));
    hd_packet *response = kit_receive(kit, ACCESS, 0, kit_now(kit));
    const uint8_t *bytes = hd_body(response);
    cr_expect_eq(bytes[63], 0xA5);
    cr_expect_eq(bytes[64], 0);
    kit_free(kit, response);
    kit_destroy(kit);
}

Test(dram_fixed_latency, takes_no_more_than_it_has_room_for)
{
    kit_block *kit = make_fixed((const char *[]){"responses=3", NULL}, 2);
    kit_hold_credits(kit, ACCESS, 0, 1);
    for (uint32_t i = 0; i < 20; i++)
        read_at(kit, (uint64_t)i * LINE, LINE, i, 0);
    kit_run_until(kit, 5000 * CYCLE);
    cr_expect_eq(kit_waiting(kit, ACCESS, 0), 2);
    cr_expect_eq(kit_statistic(kit, "reads"), 5);
    const hd_pending *pending = hd_dram_fixed_latency.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    cr_expect(pending->has_work(kit_instance(kit)));
    kit_hold_credits(kit, ACCESS, 0, 0);
    kit_release_credits(kit, ACCESS, 0, 2, 5000 * CYCLE);
    kit_run_until(kit, 9000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "reads"), 20);
    cr_expect_gt(kit_statistic(kit, "response_stall_cycles"), 4000);
    cr_expect_not(pending->has_work(kit_instance(kit)));
    kit_destroy(kit);
}

Test(dram_fixed_latency, starts_again_when_aligned)
{
    kit_block *kit = make_fixed((const char *[]){"latency=5 cycles", "bus_bytes=1 B", NULL}, 64);
    read_at(kit, 0, 1000, 1, 0);
    kit_run_until(kit, 100 * CYCLE);
    kit_align(kit);
    read_at(kit, 0, 10, 2, 2000 * CYCLE);
    kit_run_until(kit, 3000 * CYCLE);
    cr_expect_eq(sent_at(kit, 1), 2000 + 10 + 5);
    kit_destroy(kit);
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, ACCESS, 0, 2, 6);
    kit_connect(kit, ACCESS, 1, 5, 3);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t[2] = {kit_now(kit), kit_now(kit)};
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t element = (uint32_t)(kit_random(&seed) % 2);
        const uint32_t bytes = 1 + (uint32_t)(kit_random(&seed) % 300);
        const uint32_t is_write = (uint32_t)(kit_random(&seed) % 2);
        hd_packet *packet = kit_packet(kit, is_write ? HD_MEMORY_WRITE : HD_MEMORY_READ, is_write ? bytes : 0);
        packet->address = kit_random(&seed) % 65536;
        packet->argument = bytes;
        packet->tag = i;
        t[element] += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 30000;
        kit_send(kit, ACCESS, element, packet, t[element]);
    }
}

Test(dram_fixed_latency, conforms)
{
    cr_expect_eq(kit_conformance(&hd_dram_fixed_latency, NULL, connect_ports, random_load), 0);
    static const char *const parameters[] = {"responses=2", "latency=0 cycles", NULL};
    cr_expect_eq(kit_conformance(&hd_dram_fixed_latency, parameters, connect_ports, random_load), 0);
}

Test(dram, conforms_with_two_ports)
{
    static const char *const policies[][4] = {
        {"scheduler.starvation_cap=3", "page_policy=adaptive", "responses=3", NULL},
        {"scheduler=fcfs", "page_policy=closed", "trefi=300 ns", NULL},
        {"tfaw=50 cycles", "trrd_l=9 cycles", "twtr_l=20 cycles", NULL}};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        cr_expect_eq(kit_conformance(&hd_dram_banked, policies[i], connect_ports, random_load), 0);
}
