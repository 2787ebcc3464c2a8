/* SPDX-License-Identifier: MIT */
/* Where a block touches memory directly, the slice keeps nothing: it and the others see each other at once. */
#include "bench.h"

#include <stdlib.h>

static kit_block *make_direct(const char *const *parameters)
{
    kit_block *kit = kit_create(&hd_l2_slice_write_back, parameters);
    kit_direct(kit);
    kit_address_map(kit, 1, 256, (uint32_t[]){0});
    kit_connect(kit, REQUEST, 0, LINK, 16);
    kit_connect(kit, REPLY, 0, LINK, 16);
    kit_connect(kit, MEMORY, 0, LINK, 16);
    kit_start(kit);
    return kit;
}

static const char *const parameters[] = {"latency=10 cycles", NULL};

Test(l2_slice, what_others_write_directly_is_what_a_load_returns)
{
    kit_block *kit = make_direct(parameters);
    for (uint32_t value = 1; value < 4; value++) {
        kit_memory_write(kit, 300, &value, 4);
        cr_expect_eq(load_now(kit, 300), value);
    }
    cr_expect_eq(kit_statistic(kit, "direct"), 3);
    cr_expect_eq(kit_statistic(kit, "hits") + kit_statistic(kit, "misses"), 0);
    cr_expect_eq(kit_waiting(kit, MEMORY, 0), 0);
    kit_destroy(kit);
}

Test(l2_slice, a_store_is_in_memory_when_it_is_accepted)
{
    kit_block *kit = make_direct(parameters);
    const uint32_t before = 0x11111111;
    uint32_t after;
    kit_memory_write(kit, 256, &before, 4);
    store_now(kit, 256, 4, 0x6, 0xEE);
    kit_memory_read(kit, 256, &after, 4);
    cr_expect_eq(after, 0x11EEEE11);
    const hd_atomic_result result = atomic_now(kit, 256, HD_ATOMIC_ADD, 1, 0);
    kit_memory_read(kit, 256, &after, 4);
    cr_expect_eq(result.value, 0x11EEEE11);
    cr_expect_eq(after, 0x11EEEE12);
    kit_destroy(kit);
}

/* A reservation of one request does not outlive the store of another. */
Test(l2_slice, versions_are_those_of_the_memory)
{
    kit_block *kit = make_direct(parameters);
    hd_atomic_result held = atomic_now(kit, 512, HD_ATOMIC_LOAD_RESERVED, 0, 0);
    cr_expect_eq(atomic_now(kit, 512, HD_ATOMIC_STORE_CONDITIONAL, 7, held.version).value, 0);
    cr_expect_eq(atomic_now(kit, 512, HD_ATOMIC_STORE_CONDITIONAL, 8, held.version).value, 1);
    cr_expect_eq(load_now(kit, 512), 7);
    kit_destroy(kit);
}

/* It waits at its port as it does where lines are kept. */
Test(l2_slice, an_atomic_waits_for_its_word_in_memory_too)
{
    kit_block *kit = make_direct((const char *[]){"latency=10 cycles", "atomic.same_word=9 cycles", NULL});
    const hd_atomic_operation add = {.operation = HD_ATOMIC_ADD, .operand = 1};
    for (uint32_t i = 0; i < 3; i++)
        atomic(kit, 0, 0, &add, 1, i, 500 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(sent_at(kit, REPLY, i), 500 + LATENCY + 9 * i);
    cr_expect_eq(kit_statistic(kit, "stall_cycles.atomic_word"), 2 * 8);
    cr_expect_eq(kit_statistic(kit, "atomic_cycles"), 3);
    kit_destroy(kit);
}

/* What goes past the lines elsewhere is here as anything else. */
Test(l2_slice, what_would_pass_the_lines_is_in_memory_at_once)
{
    kit_block *kit = make_direct(parameters);
    uint32_t word;
    hd_packet *packet = kit_packet(kit, HD_UNCACHED_STORE, (uint32_t)sizeof(hd_store) + 32);
    hd_store *body = hd_body(packet);
    memset(body, 0xFF, sizeof *body);
    memset(hd_store_data(body), 0x37, 32);
    packet->address = 512;
    packet->argument = 32;
    kit_send(kit, REQUEST, 0, packet, kit_now(kit));
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(reply->message, kit_message(kit, HD_GLOBAL_STORE_ACK));
    kit_free(kit, reply);
    kit_memory_read(kit, 540, &word, 4);
    cr_expect_eq(word, 0x37373737);
    packet = kit_packet(kit, HD_UNCACHED_LOAD, 0);
    packet->address = 512;
    packet->argument = 32;
    kit_send(kit, REQUEST, 0, packet, kit_now(kit));
    reply = next_reply(kit);
    cr_expect_eq(*(const uint32_t *)hd_body_const(reply), 0x37373737);
    kit_free(kit, reply);
    cr_expect_eq(kit_waiting(kit, MEMORY, 0), 0);
    cr_expect_eq(kit_statistic(kit, "uncached_loads"), 1);
    kit_destroy(kit);
}
