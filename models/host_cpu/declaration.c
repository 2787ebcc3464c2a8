/* SPDX-License-Identifier: MIT */
#include "hd_registers.h"
#include "state.h"

#define CYCLES_OF(id, text_name, number, lowest, text)                                                                 \
    [id] = {.name = text_name,                                                                                         \
            .type = HD_TYPE_UNSIGNED,                                                                                  \
            .unit = HD_UNIT_CYCLES,                                                                                    \
            .standard = number " cycles",                                                                              \
            .minimum = lowest,                                                                                         \
            .maximum = 255,                                                                                            \
            .doc = text}

const hd_parameter host_cpu_parameters[PARAMETER_COUNT] = {
    [PARAMETER_RAM_BYTES] = {.name = "ram.bytes",
                             .type = HD_TYPE_UNSIGNED,
                             .unit = HD_UNIT_BYTES,
                             .standard = "64 MiB",
                             .minimum = 4096,
                             .maximum = HD_HOST_RAM_MAX,
                             .doc = "size of the RAM"},
    [PARAMETER_RAM_PORT_BYTES] = HD_MEMORY_PORT_BYTES,
    [PARAMETER_RAM_LATENCY] = HD_MEMORY_PORT_LATENCY,
    [PARAMETER_RAM_REQUESTS] = HD_MEMORY_PORT_REQUESTS,
    [PARAMETER_EXCEPTIONS] = {.name = "exceptions",
                              .type = HD_TYPE_CHOICE,
                              .standard = "stop",
                              .choices = "stop|trap",
                              .doc = "an error of the firmware ends the run, or goes to its trap handler"},
    [PARAMETER_QUANTUM] = {.name = "quantum",
                           .type = HD_TYPE_UNSIGNED,
                           .unit = HD_UNIT_SECONDS,
                           .standard = "100 us",
                           .minimum = 1,
                           .maximum = HD_PS_PER_SECOND,
                           .doc = "how far the CPU may run ahead of the machine; does not affect results"},
    [PARAMETER_UNDO_STORES] = {.name = "undo_stores",
                               .type = HD_TYPE_UNSIGNED,
                               .standard = "32768",
                               .minimum = 1,
                               .maximum = 16777216,
                               .doc = "stores that it may make while it runs ahead; does not affect results"},
    [PARAMETER_BLOCK_CACHE] = {.name = "block_cache",
                               .type = HD_TYPE_UNSIGNED,
                               .standard = "65536",
                               .minimum = 64,
                               .maximum = 16777216,
                               .doc = "decoded instructions that are cached; affects only simulation speed"},
    [PARAMETER_HARTS] =
        {.name = HD_PARAMETER_HARTS,
         .type = HD_TYPE_UNSIGNED,
         .standard = "1",
         .minimum = 1,
         .maximum = HARTS_MAX,
         .doc = "harts that share the RAM and the bus; `interrupt[2 h]` and [2 h + 1] are of hart h modulo this"},
    [PARAMETER_USER_MODE] = {.name = "user_mode",
                             .type = HD_TYPE_BOOLEAN,
                             .standard = "false",
                             .doc = "there is user mode beside machine mode"},
    [PARAMETER_PMP_ENTRIES] = {.name = "pmp.entries",
                               .type = HD_TYPE_CHOICE,
                               .standard = "16",
                               .choices = "0|16|64",
                               .doc = "regions of physical memory protection; 0: there is none"},
    [PARAMETER_PMP_GRANULARITY] = {.name = "pmp.granularity",
                                   .type = HD_TYPE_UNSIGNED,
                                   .unit = HD_UNIT_BYTES,
                                   .standard = "4 B",
                                   .minimum = 4,
                                   .maximum = 65536,
                                   .doc = "smallest region, a power of two"},
    [PARAMETER_TRIGGERS] = {.name = "triggers",
                            .type = HD_TYPE_UNSIGNED,
                            .standard = "4",
                            .minimum = 0,
                            .maximum = HART_TRIGGERS_MAX,
                            .doc = "breakpoints of the trigger module; 0: there is none"},
    CYCLES_OF(PARAMETER_CPI_EACH, "cpi.each", "1", 1, "cycles of every instruction"),
    CYCLES_OF(PARAMETER_CPI_LOAD, "cpi.load", "1", 0, "additional cycles of a load from RAM"),
    CYCLES_OF(PARAMETER_CPI_STORE, "cpi.store", "0", 0, "additional cycles of a store to RAM"),
    CYCLES_OF(PARAMETER_CPI_MULTIPLY, "cpi.multiply", "2", 0, "additional cycles of a multiplication"),
    CYCLES_OF(PARAMETER_CPI_DIVIDE, "cpi.divide", "15", 0, "additional cycles of a division"),
    CYCLES_OF(PARAMETER_CPI_BRANCH, "cpi.branch", "2", 0, "additional cycles of a taken branch"),
    CYCLES_OF(PARAMETER_CPI_JUMP, "cpi.jump", "2", 0, "additional cycles of a jump, or of entering a trap"),
    CYCLES_OF(PARAMETER_CPI_ATOMIC, "cpi.atomic", "4", 0, "additional cycles of an atomic access"),
    CYCLES_OF(PARAMETER_CPI_CSR, "cpi.csr", "2", 0, "additional cycles of csr*, fence, wfi and mret"),
};

const hd_port host_cpu_ports[PORT_COUNT] = {
    [PORT_BUS] = {.name = "bus",
                  .direction = HD_PORT_INITIATOR,
                  .minimum_count = 1,
                  .maximum_count = 1,
                  .latency_cycles = 1,
                  .credits = 4,
                  .doc = "loads and stores outside RAM"},
    [PORT_MEMORY] = {.name = "memory",
                     .direction = HD_PORT_TARGET,
                     .minimum_count = 0,
                     .maximum_count = 1,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "RAM accesses by other blocks"},
    [PORT_INTERRUPT] = {.name = "interrupt",
                        .direction = HD_PORT_RECEIVE,
                        .minimum_count = 0,
                        .maximum_count = INTERRUPT_PORTS,
                        .latency_cycles = 1,
                        .credits = 8,
                        .doc = "levels of the interrupt lines"},
};

#define COUNT(id, text_name, text_unit, text) [id] = {text_name, text_unit, HD_STATISTIC_COUNT, 0, text}
#define KIND(kind, text_name, text)                                                                                    \
    [STATISTIC_KINDS + (kind)-1] = {"instructions." text_name, "instructions", HD_STATISTIC_COUNT, 0, text}

const hd_statistic host_cpu_statistics[STATISTIC_COUNT] = {
    COUNT(STATISTIC_INSTRUCTIONS, "instructions", "instructions", "instructions retired"),
    KIND(HART_KIND_LOAD, "load", "... loads, RAM or bus"),
    KIND(HART_KIND_STORE, "store", "... stores, RAM or bus"),
    KIND(HART_KIND_MULTIPLY, "multiply", "... multiplications"),
    KIND(HART_KIND_DIVIDE, "divide", "... divisions and remainders"),
    KIND(HART_KIND_BRANCH, "branch", "... conditional branches, taken or not"),
    KIND(HART_KIND_JUMP, "jump", "... jumps, calls and returns"),
    KIND(HART_KIND_ATOMIC, "atomic", "... atomic accesses"),
    KIND(HART_KIND_CSR, "csr", "... csr*, fence, wfi and mret"),
    COUNT(STATISTIC_EXCEPTIONS, "exceptions", "traps", "exceptions that went to the trap handler"),
    COUNT(STATISTIC_INTERRUPTS, "interrupts_taken", "traps", "interrupts taken"),
    COUNT(STATISTIC_BUS_READS, "bus_reads", "accesses", "loads outside RAM"),
    COUNT(STATISTIC_BUS_WRITES, "bus_writes", "accesses", "stores outside RAM"),
    COUNT(STATISTIC_BUS_WAIT_CYCLES, "bus_wait_cycles", "cycles", "cycles in which the CPU waited for the bus"),
    COUNT(STATISTIC_SLEEP_CYCLES, "sleep_cycles", "cycles", "cycles asleep after wfi"),
    [STATISTIC_RAM] = HD_MEMORY_PORT_STATISTICS,
};

const hd_message_use host_cpu_messages[MESSAGE_USES] = {
    {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "bus"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "bus"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "bus"},
    {HD_INTERRUPT_LEVEL, HD_MESSAGE_RECEIVED, 0, "interrupt"},
    HD_MEMORY_PORT_MESSAGES,
};

const hd_window host_cpu_window = {.name = "RAM of the host CPU",
                                   .port = "memory",
                                   .base = HD_HOST_RAM_BASE,
                                   .bytes = 1,
                                   .parameter = "ram.bytes",
                                   .doc = "firmware, its data and its stack"};
