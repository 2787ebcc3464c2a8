/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

#define QUEUES 3u

/* Without memory: loads of ring addresses give the descriptor of a launch or copy numbered by its place, other loads give bytes
 * of their address. No state, so that any number of instances may be under test. */
static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context;
    (void)element;
    if (port == PORT_LAUNCH) {
        hd_packet *done = kit_packet(kit, HD_GRID_DONE, 0);
        done->tag = packet->tag;
        kit_send(kit, PORT_DONE, 0, done, t + kit_cycles(kit, 37));
        return 0;
    }
    if (port == PORT_COPY) {
        hd_packet *done = kit_packet(kit, HD_COPY_DONE, 0);
        done->tag = packet->tag;
        done->argument = packet->tag == 2 ? HD_STATUS_GENERIC_ERROR : HD_STATUS_OK;
        kit_send(kit, PORT_COPIED, 0, done, t + kit_cycles(kit, 53));
        return 0;
    }
    if (port != PORT_REQUEST)
        return 0;
    uint32_t is_load = packet->message == kit_message(kit, HD_GLOBAL_LOAD);
    hd_packet *reply =
        kit_packet(kit, is_load ? HD_GLOBAL_LOAD_REPLY : HD_GLOBAL_STORE_ACK, is_load ? packet->argument : 0);
    reply->tag = packet->tag;
    reply->address = packet->address;
    reply->argument = packet->argument;
    uint32_t offset = (uint32_t)(packet->address - HD_GLOBAL_BASE);
    if (is_load && offset < QUEUES * RIG_QUEUE_STRIDE && packet->argument == HD_DESCRIPTOR_BYTES) {
        const uint32_t number = offset / HD_DESCRIPTOR_BYTES;
        const hd_queue_descriptor launch = rig_descriptor(number);
        const hd_queue_copy copy = rig_copy(number);
        memcpy(hd_body(reply), number % 3 ? (const void *)&launch : (const void *)&copy, sizeof launch);
    } else if (is_load) {
        memset(hd_body(reply), (int)(offset & 0xFF), packet->argument);
    }
    kit_send(kit, PORT_REPLY, 0, reply, t + kit_cycles(kit, 13));
    return 0;
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_REQUEST, 0, 2, 3);
    kit_connect(kit, PORT_REPLY, 0, 1, 4);
    kit_connect(kit, PORT_HOST, 0, 3, 2);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 1);
    kit_connect(kit, PORT_LAUNCH, 0, 1, 1);
    kit_connect(kit, PORT_DONE, 0, 1, 1);
    kit_respond(kit, respond, NULL);
}

static void connect_engine(kit_block *kit)
{
    connect_ports(kit);
    kit_connect(kit, PORT_COPY, 0, 1, 1);
    kit_connect(kit, PORT_COPIED, 0, 1, 1);
}

static void send_register(kit_block *kit, uint64_t offset, uint32_t value, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_MEMORY_WRITE, 4);
    packet->address = HD_HOST_MMIO_BASE + offset;
    packet->argument = 4;
    memcpy(hd_body(packet), &value, 4);
    kit_send(kit, PORT_HOST, 0, packet, t);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    uint64_t random = seed;
    hd_time t = 0;
    for (uint32_t queue = 0; queue < QUEUES; queue++) {
        uint64_t registers = HD_REGISTER_QUEUE_BASE + queue * HD_REGISTER_QUEUE_STRIDE;
        send_register(kit, registers + HD_QUEUE_RING, RIG_RING + queue * RIG_QUEUE_STRIDE, t);
        send_register(kit, registers + HD_QUEUE_COMPLETION, RIG_COMPLETION + queue * RIG_QUEUE_STRIDE, t);
        send_register(kit, registers + HD_QUEUE_ENTRIES, RIG_ENTRIES, t);
        send_register(kit, registers + HD_QUEUE_DOORBELL, 1 + (uint32_t)(kit_random(&random) % 8), t);
    }
    for (uint32_t i = 0; i < 60; i++) {
        uint32_t is_read = kit_random(&random) % 2 == 0;
        uint32_t bytes = 1 + (uint32_t)(kit_random(&random) % 1024);
        hd_packet *packet = kit_packet(kit, is_read ? HD_MEMORY_READ : HD_MEMORY_WRITE, is_read ? 0 : bytes);
        packet->address = HD_GLOBAL_BASE + 0x4000 + kit_random(&random) % 0x4000;
        packet->argument = bytes;
        packet->tag = i;
        if (!is_read)
            memset(hd_body(packet), (int)i, bytes);
        t += kit_random(&random) % 40000;
        kit_send(kit, PORT_HOST, 0, packet, t);
    }
}

Test(command_processor, conforms, .timeout = 120)
{
    static const char *const narrow[] = {"queues=3",          "concurrent_grids=2", "host_requests=2",
                                         "lines_in_flight=3", "settle=5 cycles",    NULL};
    cr_expect_eq(kit_conformance(&hd_command_processor_queues, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_command_processor_queues, narrow, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_command_processor_queues, NULL, connect_engine, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_command_processor_queues, narrow, connect_engine, random_load), 0);
}
