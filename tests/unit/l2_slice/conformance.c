/* SPDX-License-Identifier: MIT */
#include "bench.h"

/* ---- Conformance: the memory behind the slice is the test kit's responder ---------------------------------------- */

static uint32_t echo(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context;
    if (port != MEMORY)
        return 0;
    const uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    hd_packet *response = kit_packet(kit, HD_MEMORY_RESPONSE, is_read ? packet->argument : 0);
    response->tag = packet->tag;
    if (is_read)
        memset(hd_body(response), (int)(packet->address / 32), packet->argument);
    kit_free(kit, packet);
    kit_send(kit, MEMORY, element, response, t + 20 * CYCLE);
    return 1;
}

static void connect_ports(kit_block *kit)
{
    static const uint32_t endpoints[] = {0};
    kit_address_map(kit, 1, 256, endpoints);
    for (uint32_t i = 0; i < 3; i++)
        kit_connect(kit, REQUEST, i, 1 + i, 2 + i);
    kit_connect(kit, REPLY, 0, 1, 3);
    kit_connect(kit, MEMORY, 0, 2, 2);
    kit_respond(kit, echo, NULL);
}

/* Calls of several cycles, in which much happens at once. */
static void connect_long_links(kit_block *kit)
{
    static const uint32_t endpoints[] = {0};
    kit_address_map(kit, 1, 256, endpoints);
    for (uint32_t i = 0; i < 3; i++)
        kit_connect(kit, REQUEST, i, 8 + i, 12);
    kit_connect(kit, REPLY, 0, 9, 5);
    kit_connect(kit, MEMORY, 0, 8, 6);
    kit_respond(kit, echo, NULL);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t[3];
    for (uint32_t i = 0; i < 3; i++)
        t[i] = kit_now(kit);
    for (uint32_t i = 0; i < 500; i++) {
        const uint32_t port = (uint32_t)(kit_random(&seed) % 3);
        const uint64_t line = kit_random(&seed) % 32 * LINE;
        t[port] += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 20000;
        const hd_atomic_operation add = {.operation = HD_ATOMIC_ADD, .word = 1, .operand = i};
        const uint64_t kind = kit_random(&seed) % 4;
        if (kind == 0)
            atomic(kit, port, line, &add, 1, i, t[port]);
        else if (kind == 1)
            store(kit, port, line, 64, (uint32_t)kit_random(&seed), (uint8_t)i, i, t[port]);
        else if (kind == 2)
            store(kit, port, line, LINE, UINT32_MAX, (uint8_t)i, i, t[port]);
        else
            load(kit, port, line + 4, 100, i, t[port]);
    }
}

Test(l2_slice, conforms)
{
    static const char *const parameters[] = {"latency=10 cycles", SMALL, NULL};
    cr_expect_eq(kit_conformance(&hd_l2_slice_write_back, parameters, connect_ports, random_load), 0);
}

Test(l2_slice, conforms_when_short_of_everything)
{
    static const char *const parameters[] = {"latency=3 cycles", SMALL,           "mshrs=2", "mshr_targets=2",
                                             "write_backs=1",    "reply_queue=1", NULL};
    cr_expect_eq(kit_conformance(&hd_l2_slice_write_back, parameters, connect_ports, random_load), 0);
}

Test(l2_slice, conforms_over_long_links)
{
    static const char *const parameters[] = {"latency=10 cycles", SMALL, NULL};
    cr_expect_eq(kit_conformance(&hd_l2_slice_write_back, parameters, connect_long_links, random_load), 0);
}

Test(l2_slice, conforms_with_sectors)
{
    static const char *const parameters[] = {
        "latency=10 cycles",        SMALL, "mshrs=2", "sector=32 B", "replacement=random", "fill_port=shared",
        "atomic_latency=20 cycles", NULL};
    cr_expect_eq(kit_conformance(&hd_l2_slice_write_back, parameters, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_l2_slice_write_through, parameters, connect_long_links, random_load), 0);
}

Test(l2_slice, conforms_with_its_standard_parameters)
{
    cr_expect_eq(kit_conformance(&hd_l2_slice_write_back, NULL, connect_ports, random_load), 0);
}
