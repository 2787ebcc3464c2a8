/* SPDX-License-Identifier: MIT */
/* Firmware on a CPU: one thread. */
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

static place_of_thread hart_of(const debugger *self)
{
    return (place_of_thread){.at = debugger_first(self, DOOR_FIRMWARE)};
}

static uint64_t next_thread(void *context, uint64_t after)
{
    (void)context;
    return after ? 0 : TARGET_ANY;
}

static uint32_t is_alive(void *context, uint64_t thread)
{
    (void)context;
    return thread == TARGET_ANY;
}

static void describe(void *context, uint64_t thread, char *text, size_t bytes)
{
    const place_of_thread hart = hart_of(context);
    hd_debug_thread found;
    (void)thread;
    hart.at->ability->thread(hart.at->block, 0, 0, &found);
    snprintf(text, bytes, "%s, %s", hd_engine_block_name(((debugger *)context)->engine, hart.at->endpoint), found.what);
}

static void stopped(void *context, uint64_t thread)
{
    (void)context;
    (void)thread;
}

static uint32_t read_register(void *context, uint64_t thread, uint32_t number, uint64_t *value)
{
    const place_of_thread hart = hart_of(context);
    (void)thread;
    return hart.at->ability->read(hart.at->block, 0, 0, number, value);
}

static uint32_t write_register(void *context, uint64_t thread, uint32_t number, uint64_t value)
{
    const place_of_thread hart = hart_of(context);
    (void)thread;
    return hart.at->ability->write(hart.at->block, 0, 0, number, value);
}

static uint32_t read_memory(void *context, uint64_t thread, uint64_t address, void *data, uint32_t bytes)
{
    (void)thread;
    return debugger_memory(context, hart_of(context), address, data, bytes, 0);
}

static uint32_t write_memory(void *context, uint64_t thread, uint64_t address, const void *data, uint32_t bytes)
{
    (void)thread;
    return debugger_memory(context, hart_of(context), address, (void *)(uintptr_t)data, bytes, 1);
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
