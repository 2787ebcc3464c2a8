/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MEMORY = 1 << 18 };

static void connect_ports(kit_block *kit)
{
    static const uint32_t endpoints[] = {0};
    kit_address_map(kit, 1, 4096, endpoints);
    kit_connect(kit, ACCESS, 0, 2, 6);
}

/* Calls of several cycles, in which much happens at once. */
static void connect_long_links(kit_block *kit)
{
    static const uint32_t endpoints[] = {0};
    kit_address_map(kit, 1, 4096, endpoints);
    kit_connect(kit, ACCESS, 0, 12, 24);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = kit_now(kit);
    for (uint32_t i = 0; i < 500; i++) {
        const uint64_t address = kit_random(&seed) % MEMORY;
        const uint32_t bytes = 1 + (uint32_t)(kit_random(&seed) % 300);
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 30000;
        if (kit_random(&seed) % 2)
            write_at(kit, address, bytes, (uint8_t)i, i, t);
        else
            read_at(kit, address, bytes, i, t);
    }
}

Test(dram, conforms)
{
    cr_expect_eq(kit_conformance(&hd_dram_banked, NULL, connect_ports, random_load), 0);
}

Test(dram, conforms_when_refreshed_often_and_short_of_room)
{
    static const char *const parameters[] = {"trefi=300 ns", "queue=5", "responses=2", "latency=3 cycles", NULL};
    cr_expect_eq(kit_conformance(&hd_dram_banked, parameters, connect_ports, random_load), 0);
}

Test(dram, conforms_over_long_links)
{
    cr_expect_eq(kit_conformance(&hd_dram_banked, NULL, connect_long_links, random_load), 0);
    static const char *const parameters[] = {"trefi=300 ns", "banks=8", "bank_groups=2", "responses=4", NULL};
    cr_expect_eq(kit_conformance(&hd_dram_banked, parameters, connect_long_links, random_load), 0);
}

struct expected {
    uint32_t bytes; /* 0 = a write */
    uint8_t data[512];
};

struct reference {
    uint8_t memory[MEMORY];
    struct expected *expected; /* by tag */
    uint32_t answered;
};

/* Applied in the order of the link: what the memory must look like to whoever comes next. */
static void send_random(kit_block *kit, struct reference *reference, uint64_t *seed, uint32_t tag, hd_time t)
{
    /* A few hot rows, so that hits, conflicts and overlaps are all common. */
    const uint64_t address = kit_random(seed) % 8 * ROW_STRIDE + kit_random(seed) % 1024;
    const uint32_t bytes = 1 + (uint32_t)(kit_random(seed) % (kit_random(seed) % 8 ? 128 : 512));
    if (kit_random(seed) % 2) {
        reference->expected[tag].bytes = bytes;
        memcpy(reference->expected[tag].data, &reference->memory[address], bytes);
        read_at(kit, address, bytes, tag, t);
        return;
    }
    const uint32_t with_enables = kit_random(seed) % 2;
    hd_packet *packet = kit_packet(kit, HD_MEMORY_WRITE, with_enables ? 2 * bytes : bytes);
    uint8_t *data = hd_body(packet);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    for (uint32_t i = 0; i < bytes; i++) {
        data[i] = (uint8_t)kit_random(seed);
        if (with_enables)
            data[bytes + i] = kit_random(seed) % 2 ? 0xFF : 0;
        if (!with_enables || data[bytes + i])
            reference->memory[address + i] = data[i];
    }
    kit_send(kit, ACCESS, 0, packet, t);
}

static uint32_t check_response(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet,
                               hd_time t)
{
    struct reference *reference = context;
    (void)port;
    (void)element;
    (void)t;
    const struct expected *expected = &reference->expected[packet->tag];
    cr_assert_eq(packet->argument, HD_STATUS_OK);
    cr_assert_eq(packet->body_bytes, expected->bytes);
    cr_assert_eq(memcmp(hd_body(packet), expected->data, expected->bytes), 0, "request %llu reads wrong data",
                 (unsigned long long)packet->tag);
    reference->answered++;
    kit_free(kit, packet);
    return 1;
}

Test(dram, agrees_with_a_reference_memory_under_stress)
{
    enum { REQUESTS = 20000 };
    uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    struct reference *reference = calloc(1, sizeof *reference);
    reference->expected = calloc(REQUESTS, sizeof *reference->expected);
    kit_block *kit =
        make_with((const char *[]){"latency=10 cycles", "trefi=2 us", "row_bytes=2 KiB", "responses=8", NULL}, 6);
    kit_respond(kit, check_response, reference);
    hd_time t = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        send_random(kit, reference, &seed, i, t);
        if (kit_random(&seed) % 32)
            continue;
        t += 1 + kit_random(&seed) % 300000;
        kit_run_until(kit, t);
        kit_hold_credits(kit, ACCESS, 0, kit_random(&seed) % 2);
        kit_release_credits(kit, ACCESS, 0, (uint32_t)(kit_random(&seed) % 8), t);
    }
    kit_hold_credits(kit, ACCESS, 0, 0);
    kit_release_credits(kit, ACCESS, 0, UINT32_MAX, t);
    kit_run_until(kit, t + UINT64_C(1000000) * CYCLE);
    cr_expect_eq(reference->answered, REQUESTS);
    cr_expect_eq(kit_statistic(kit, "reads") + kit_statistic(kit, "writes"), REQUESTS);
    cr_expect_eq(kit_statistic(kit, "row_hits") + kit_statistic(kit, "row_misses") +
                     kit_statistic(kit, "row_conflicts"),
                 REQUESTS);
    cr_expect_leq(kit_statistic(kit, "activates"), kit_statistic(kit, "precharges") + BANKS,
                  "a row is opened only in a closed bank");
    cr_expect_gt(kit_statistic(kit, "refreshes"), 0);
    cr_expect_gt(kit_statistic(kit, "row_hits"), 0);
    cr_expect_gt(kit_statistic(kit, "row_conflicts"), 0);
    cr_expect_gt(kit_statistic(kit, "response_stall_cycles"), 0);
    uint8_t *memory = calloc(1, MEMORY);
    for (uint32_t done = 0; done < MEMORY;)
        done += kit_debug_read(kit, done, memory + done, MEMORY - done);
    cr_expect_eq(memcmp(memory, reference->memory, MEMORY), 0);
    free(memory);
    kit_destroy(kit);
    free(reference->expected);
    free(reference);
}
