/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <stdio.h>
#include <string.h>

static const uint32_t lines[] = {HART_SOFTWARE_INTERRUPT, HART_TIMER_INTERRUPT, HART_EXTERNAL_INTERRUPT};

static void send_level(rig *rig, uint32_t element, uint32_t line, uint32_t level, hd_time t)
{
    hd_packet *packet = kit_packet(rig->kit, HD_INTERRUPT_LEVEL, 0);
    packet->argument = line;
    packet->tag = level;
    kit_send(rig->kit, PORT_INTERRUPT, element, packet, t);
}

void rig_line_of_hart(rig *rig, uint32_t hart, uint32_t line, uint32_t level, hd_time t)
{
    send_level(rig, 2 * hart, line, level, t);
}

void rig_line(rig *rig, uint32_t line, uint32_t level, hd_time t)
{
    rig_line_of_hart(rig, 0, line, level, t);
}

static void store(rig *rig, const hd_packet *packet, uint64_t offset, hd_time t)
{
    uint64_t value = 0;
    memcpy(&value, hd_body_const(packet), packet->argument);
    memcpy(rig->device + offset, &value, packet->argument);
    cr_assert_lt(rig->store_count, sizeof rig->stores / sizeof *rig->stores);
    rig->stores[rig->store_count++] = (rig_store){t, offset, value, packet->argument};
    for (uint32_t i = 0; offset == DEVICE_LOWERS && i < sizeof lines / sizeof *lines; i++)
        for (uint32_t hart = 0; hart < RIG_HARTS; hart++)
            send_level(rig, 2 * hart + 1, lines[i], 0, t + CYCLE);
}

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    rig *rig = context;
    const uint64_t offset = packet->address - DEVICE_BASE;
    (void)element;
    if (port != PORT_BUS)
        return 0;
    const uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    const uint32_t fits = offset < DEVICE_BYTES && packet->argument <= DEVICE_BYTES - offset;
    cr_expect_eq(packet->address % packet->argument, 0);
    hd_packet *answer = kit_packet(kit, HD_MEMORY_RESPONSE, is_read && fits ? packet->argument : 0);
    answer->tag = packet->tag;
    answer->argument = fits ? HD_STATUS_OK : HD_STATUS_ADDRESS_ERROR;
    if (fits && is_read)
        memcpy(hd_body(answer), rig->device + offset, packet->argument);
    else if (fits)
        store(rig, packet, offset, t);
    kit_send(kit, PORT_BUS, 0, answer, t + DEVICE * CYCLE);
    kit_free(kit, packet);
    return 1;
}

void rig_load(kit_block *kit, const char *program)
{
    static uint8_t bytes[RAM_BYTES];
    char path[512];
    snprintf(path, sizeof path, "%s/%s.bin", PROGRAMS, program);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t done = 0; done < count; done += 1024)
        kit_debug_write(kit, HD_HOST_RAM_BASE + done, bytes + done,
                        (uint32_t)(count - done < 1024 ? count - done : 1024));
}

void rig_open(rig *rig, const char *program, const char *const *parameters)
{
    const char *all[16] = {"ram.bytes=64 KiB"};
    memset(rig, 0, sizeof *rig);
    for (uint32_t i = 0; parameters && parameters[i]; i++)
        all[i + 1] = parameters[i];
    rig->kit = kit_create(&hd_host_cpu_rv64, all);
    kit_connect(rig->kit, PORT_BUS, 0, LINK, 4);
    kit_connect(rig->kit, PORT_MEMORY, 0, LINK, 8);
    for (uint32_t element = 0; element < 2 * RIG_HARTS; element++)
        kit_connect(rig->kit, PORT_INTERRUPT, element, LINK, 16);
    kit_respond(rig->kit, respond, rig);
    kit_record(rig->kit);
    kit_start(rig->kit);
    rig_load(rig->kit, program);
}

void rig_close(rig *rig)
{
    kit_destroy(rig->kit);
}

void rig_access(rig *rig, uint64_t offset, const void *data, uint32_t bytes, hd_time t)
{
    hd_packet *packet = kit_packet(rig->kit, data ? HD_MEMORY_WRITE : HD_MEMORY_READ, data ? bytes : 0);
    packet->address = HD_HOST_RAM_BASE + offset;
    packet->argument = bytes;
    if (data)
        memcpy(hd_body(packet), data, bytes);
    kit_send(rig->kit, PORT_MEMORY, 0, packet, t);
}

hd_packet *rig_answer(rig *rig, hd_time t)
{
    hd_packet *packet = kit_receive(rig->kit, PORT_MEMORY, 0, t);
    cr_assert_not_null(packet, "no answer");
    return packet;
}

uint64_t rig_ram(rig *rig, uint64_t offset)
{
    uint64_t value = 0;
    kit_debug_read(rig->kit, HD_HOST_RAM_BASE + offset, &value, sizeof value);
    return value;
}
