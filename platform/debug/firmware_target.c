/* SPDX-License-Identifier: MIT */
/* Firmware on CPUs: each hart is a thread. */
#include "debugger_internal.h"

#include <stdio.h>

#define CSR "org.gnu.gdb.riscv.csr"
#define C(name, number)                                                                                                \
    {                                                                                                                  \
        name, CSR, "int", 8, HD_DEBUG_CSR + (number)                                                                   \
    }

static const target_register registers[] = {
    DEBUG_INTEGER_REGISTERS(8), C("mstatus", 0x300), C("mie", 0x304),   C("mtvec", 0x305), C("mscratch", 0x340),
    C("mepc", 0x341),           C("mcause", 0x342),  C("mtval", 0x343), C("mip", 0x344),
};

/* Threads are numbered from TARGET_ANY on, which is the first hart of the first CPU. */
static place_of_thread hart_of(const debugger *self, uint64_t thread)
{
    const uint64_t number = thread - TARGET_ANY;
    for (uint32_t i = 0; i < self->block_count; i++) {
        const debugged *at = &self->blocks[i];
        if (at->door == DOOR_FIRMWARE && number - at->first_group < at->groups)
            return (place_of_thread){.at = at, .group = (uint32_t)(number - at->first_group)};
    }
    return (place_of_thread){0};
}

static uint32_t is_alive(void *context, uint64_t thread)
{
    return hart_of(context, thread).at != NULL;
}

static uint64_t next_thread(void *context, uint64_t after)
{
    const uint64_t thread = after ? after + 1 : TARGET_ANY;
    return is_alive(context, thread) ? thread : 0;
}

static void describe(void *context, uint64_t thread, char *text, size_t bytes)
{
    const place_of_thread hart = hart_of(context, thread);
    const char *block = hd_engine_block_name(((debugger *)context)->engine, hart.at->endpoint);
    hd_debug_thread found;
    hart.at->ability->thread(hart.at->block, hart.group, 0, &found);
    if (hart.at->groups > 1)
        snprintf(text, bytes, "%s hart %u, %s", block, hart.group, found.what);
    else
        snprintf(text, bytes, "%s, %s", block, found.what);
}

static void stopped(void *context, uint64_t thread)
{
    (void)context;
    (void)thread;
}

static uint32_t read_register(void *context, uint64_t thread, uint32_t number, uint64_t *value)
{
    const place_of_thread hart = hart_of(context, thread);
    return hart.at->ability->read(hart.at->block, hart.group, 0, number, value);
}

static uint32_t write_register(void *context, uint64_t thread, uint32_t number, uint64_t value)
{
    const place_of_thread hart = hart_of(context, thread);
    return hart.at->ability->write(hart.at->block, hart.group, 0, number, value);
}

static uint32_t read_memory(void *context, uint64_t thread, uint64_t address, void *data, uint32_t bytes)
{
    return debugger_memory(context, hart_of(context, thread), address, data, bytes, 0);
}

static uint32_t write_memory(void *context, uint64_t thread, uint64_t address, const void *data, uint32_t bytes)
{
    return debugger_memory(context, hart_of(context, thread), address, (void *)(uintptr_t)data, bytes, 1);
}

static void command(void *context, const char *words, char *answer, size_t bytes)
{
    debugger_command(context, words, answer, bytes);
}

debug_target firmware_target(debugger *self)
{
    return (debug_target){.context = self,
                          .architecture = "riscv:rv64",
                          .registers = registers,
                          .register_count = sizeof registers / sizeof *registers,
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
