/* SPDX-License-Identifier: MIT */
#include "fake_target.h"

#include <stdio.h>
#include <string.h>

static uint64_t next_thread(void *context, uint64_t after)
{
    (void)context;
    return after < 3 ? after + 1 : 0;
}

static uint32_t is_alive(void *context, uint64_t thread)
{
    (void)context;
    return thread >= 1 && thread <= 3;
}

static void describe(void *context, uint64_t thread, char *text, size_t bytes)
{
    (void)context;
    snprintf(text, bytes, "number %u", (unsigned)thread);
}

static void stopped(void *context, uint64_t thread)
{
    ((fake_target *)context)->stopped = thread;
}

static uint32_t read_register(void *context, uint64_t thread, uint32_t number, uint64_t *value)
{
    const fake_target *fake = context;
    *value = fake->registers[thread][number];
    return thread != 2 || !number;
}

static uint32_t write_register(void *context, uint64_t thread, uint32_t number, uint64_t value)
{
    fake_target *fake = context;
    if (thread == 2 && number)
        return 0;
    fake->registers[thread][number] = value;
    return 1;
}

static uint32_t clip(uint64_t address, uint32_t bytes)
{
    if (address < 0x100 || address >= 0x140)
        return 0;
    return bytes < 0x140 - address ? bytes : (uint32_t)(0x140 - address);
}

static uint32_t read_memory(void *context, uint64_t thread, uint64_t address, void *data, uint32_t bytes)
{
    const fake_target *fake = context;
    const uint32_t count = clip(address, bytes);
    (void)thread;
    if (count)
        memcpy(data, fake->memory + address - 0x100, count);
    return count;
}

static uint32_t write_memory(void *context, uint64_t thread, uint64_t address, const void *data, uint32_t bytes)
{
    fake_target *fake = context;
    const uint32_t count = clip(address, bytes);
    (void)thread;
    if (count)
        memcpy(fake->memory + address - 0x100, data, count);
    return count;
}

static void command(void *context, const char *words, char *answer, size_t bytes)
{
    (void)context;
    snprintf(answer, bytes, *words ? "you said %s\n" : "", words);
}

debug_target fake_target_of(fake_target *fake)
{
    static const target_register registers[] = {{"zero", "cpu", "int", 4, 0}, {"pc", "cpu", "code_ptr", 8, 1}};
    return (debug_target){.context = fake,
                          .architecture = "riscv:rv32",
                          .registers = registers,
                          .register_count = 2,
                          .watches = 1,
                          .next_thread = next_thread,
                          .is_alive = is_alive,
                          .describe = describe,
                          .stopped = stopped,
                          .read_register = read_register,
                          .write_register = write_register,
                          .read_memory = read_memory,
                          .write_memory = write_memory,
                          .command = command};
}

const char *fake_sent(debug_session *session)
{
    static packet_reader reader;
    static char text[2 * PACKET_BYTES_MAX];
    size_t count = 0;
    memset(&reader, 0, sizeof reader);
    for (size_t i = 0; i < session->output.count; i++)
        if (packet_take(&reader, (uint8_t)session->output.bytes[i]) == PACKET_COMPLETE)
            count += (size_t)snprintf(text + count, sizeof text - count, "%s%s", count ? " " : "", reader.bytes);
    text[count] = '\0';
    session->output.count = 0;
    return text;
}

const char *fake_ask(debug_session *session, const char *packet)
{
    packet_output framed = {0};
    packet_output_frame(&framed, packet, strlen(packet));
    session->output.count = 0;
    gdb_session_take(session, framed.bytes, framed.count);
    packet_output_free(&framed);
    return fake_sent(session);
}
