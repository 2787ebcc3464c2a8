/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_debug.h"
#include "kit_internal.h"

#define PATIENCE 100000u /* cycles in which a device answers */

static uint32_t access(kit_block *kit, uint32_t port, hd_packet *packet, uint64_t address, uint32_t bytes,
                       uint64_t *value)
{
    packet->address = address;
    packet->argument = bytes;
    kit_send(kit, port, 0, packet, kit_now(kit));
    hd_packet *answer = NULL;
    for (uint32_t cycle = 1; cycle <= PATIENCE && !answer; cycle++)
        answer = kit_receive(kit, port, 0, kit_now(kit) + kit_cycles(kit, 1));
    if (!answer) {
        fprintf(stderr, "test kit: no answer to an access at 0x%llx\n", (unsigned long long)address);
        abort();
    }
    const uint32_t status = answer->argument;
    if (answer->body_bytes && answer->body_bytes <= sizeof *value) {
        *value = 0;
        memcpy(value, hd_body(answer), answer->body_bytes);
    }
    kit_free(kit, answer);
    return status;
}

uint32_t kit_register_read(kit_block *kit, uint32_t port, uint64_t address, uint32_t bytes, uint64_t *value)
{
    return access(kit, port, kit_packet(kit, HD_MEMORY_READ, 0), address, bytes, value);
}

uint32_t kit_register_write(kit_block *kit, uint32_t port, uint64_t address, uint32_t bytes, uint64_t value)
{
    hd_packet *packet = kit_packet(kit, HD_MEMORY_WRITE, bytes);
    memcpy(hd_body(packet), &value, bytes < sizeof value ? bytes : sizeof value);
    return access(kit, port, packet, address, bytes, &value);
}

static uint32_t debug(kit_block *kit, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    hd_block *block = kit_instance(kit);
    const hd_debug_registers *registers =
        kit->block_class->extension ? kit->block_class->extension(block, HD_EXTENSION_DEBUG_REGISTERS) : NULL;
    return registers ? registers->access(block, kit_now(kit), address, data, bytes, is_write) : 0;
}

uint32_t kit_register_peek(kit_block *kit, uint64_t address, void *data, uint32_t bytes)
{
    return debug(kit, address, data, bytes, 0);
}

uint32_t kit_register_poke(kit_block *kit, uint64_t address, const void *data, uint32_t bytes)
{
    return debug(kit, address, (void *)(uintptr_t)data, bytes, 1);
}
