/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

/* No memory behind it, so that any number of instances may be under test: bytes of the address; a few are refused. */
static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context, (void)element;
    if (port != PORT_HOST && port != PORT_DEVICE)
        return 0;
    const uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    const uint32_t status = packet->address % 8191 == 0 ? HD_STATUS_GENERIC_ERROR : HD_STATUS_OK;
    hd_packet *answer = kit_packet(kit, HD_MEMORY_RESPONSE, is_read && status == HD_STATUS_OK ? packet->argument : 0);
    answer->tag = packet->tag;
    answer->argument = status;
    answer->wire_bytes = HD_HEADER_WIRE_BYTES + answer->body_bytes;
    memset(hd_body(answer), (int)(packet->address >> 4), answer->body_bytes);
    kit_send(kit, port, 0, answer, t + kit_cycles(kit, port == PORT_HOST ? 23 : 11));
    return 0;
}

static void connect_ports(kit_block *kit)
{
    for (uint32_t port = 0; port < PORT_COUNT; port++)
        kit_connect(kit, port, 0, 1 + port, 2 + port);
    kit_respond(kit, respond, NULL);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = 0;
    for (uint32_t i = 0; i < 30; i++) {
        hd_packet *packet = kit_packet(kit, HD_COPY_START, sizeof(hd_copy));
        const hd_copy copy = {i, (uint32_t)(kit_random(&seed) % 4), RIG_HOST + kit_random(&seed) % 0x4000,
                              RIG_DEVICE + kit_random(&seed) % 0x4000, 1 + kit_random(&seed) % 2000};
        packet->tag = i;
        memcpy(hd_body(packet), &copy, sizeof copy);
        t += kit_random(&seed) % 2 ? 0 : kit_random(&seed) % 300000;
        kit_send(kit, PORT_COMMAND, 0, packet, t);
    }
}

Test(dma_engine, conforms, .timeout = 120)
{
    static const char *const narrow[] = {"channels=1",     "outstanding=1",  "burst=64 B",
                                         "link.width=3 B", "setup=0 cycles", NULL};
    static const char *const wide[] = {"channels=8", "outstanding=32", "burst=1 KiB", "link.width=64 B", NULL};
    cr_expect_eq(kit_conformance(&hd_dma_engine_channels, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_dma_engine_channels, narrow, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_dma_engine_channels, wide, connect_ports, random_load), 0);
}
