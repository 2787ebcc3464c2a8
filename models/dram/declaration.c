/* SPDX-License-Identifier: MIT */
#include "dram.h"
#include "state.h"

#define UNSIGNED(id, text_name, of_unit, text_standard, least, most, text)                                             \
    [id] = {.name = text_name,                                                                                         \
            .type = HD_TYPE_UNSIGNED,                                                                                  \
            .unit = of_unit,                                                                                           \
            .standard = text_standard,                                                                                 \
            .minimum = least,                                                                                          \
            .maximum = most,                                                                                           \
            .doc = text}

static const hd_parameter parameters[PARAMETER_COUNT] = {
    UNSIGNED(PARAMETER_BANKS, "banks", HD_UNITLESS, "16", 1, 64, "banks of the channel"),
    UNSIGNED(PARAMETER_BANK_GROUPS, "bank_groups", HD_UNITLESS, "4", 1, 64,
             "bank groups; bank b is in group b % bank_groups"),
    UNSIGNED(PARAMETER_ROW_BYTES, "row_bytes", HD_UNIT_BYTES, "2 KiB", 64, 1048576, "bytes of a row buffer"),
    UNSIGNED(PARAMETER_BANK_INTERLEAVE, "bank_interleave", HD_UNIT_BYTES, "256 B", 1, 1048576,
             "consecutive bytes of the channel before the next bank follows"),
    UNSIGNED(PARAMETER_BUS_BYTES, "bus_bytes", HD_UNIT_BYTES, "32 B", 1, 1024,
             "bytes that the data bus moves in a cycle"),
    UNSIGNED(PARAMETER_BURST, "burst", HD_UNIT_CYCLES, "2 cycles", 1, 64, "data cycles of one column command"),
    UNSIGNED(PARAMETER_QUEUE, "queue", HD_UNITLESS, "32", 1, 64, "requests that the scheduler sees"),
    UNSIGNED(PARAMETER_RESPONSES, "responses", HD_UNITLESS, "64", 1, 4096,
             "responses that may wait to leave, those in the pipeline included"),
    UNSIGNED(
        PARAMETER_LATENCY, "latency", HD_UNIT_CYCLES, "98 cycles", 0, 100000,
        "pipeline of the controller, from data to response; the standard adds 200 core cycles to a miss on gtx480"),
    UNSIGNED(PARAMETER_TCL, "tcl", HD_UNIT_CYCLES, "12 cycles", 1, 1000, "read command to its data"),
    UNSIGNED(PARAMETER_TWL, "twl", HD_UNIT_CYCLES, "4 cycles", 1, 1000, "write command to its data"),
    UNSIGNED(PARAMETER_TRCD, "trcd", HD_UNIT_CYCLES, "12 cycles", 1, 1000, "activate to column command"),
    UNSIGNED(PARAMETER_TRP, "trp", HD_UNIT_CYCLES, "12 cycles", 1, 1000, "precharge to activate"),
    UNSIGNED(PARAMETER_TRAS, "tras", HD_UNIT_CYCLES, "28 cycles", 1, 1000, "activate to precharge"),
    UNSIGNED(PARAMETER_TRC, "trc", HD_UNIT_CYCLES, "40 cycles", 1, 1000, "activate to activate of the same bank"),
    UNSIGNED(PARAMETER_TRRD, "trrd", HD_UNIT_CYCLES, "6 cycles", 1, 1000, "activate to activate of any bank"),
    UNSIGNED(PARAMETER_TCCD, "tccd", HD_UNIT_CYCLES, "2 cycles", 1, 1000, "column command to column command"),
    UNSIGNED(PARAMETER_TCCDL, "tccdl", HD_UNIT_CYCLES, "3 cycles", 1, 1000, "the same inside one bank group"),
    UNSIGNED(PARAMETER_TWR, "twr", HD_UNIT_CYCLES, "12 cycles", 0, 1000, "end of written data to precharge"),
    UNSIGNED(PARAMETER_TCDLR, "tcdlr", HD_UNIT_CYCLES, "5 cycles", 0, 1000, "end of written data to read command"),
    UNSIGNED(PARAMETER_TRTP, "trtp", HD_UNIT_CYCLES, "2 cycles", 1, 1000, "read command to precharge"),
    UNSIGNED(PARAMETER_TURNAROUND, "turnaround", HD_UNIT_CYCLES, "2 cycles", 0, 1000,
             "idle data cycles when the bus changes direction"),
    UNSIGNED(PARAMETER_TREFI, "trefi", HD_UNIT_SECONDS, "3.9 us", 0, 0, "from refresh to refresh; 0 s = none"),
    UNSIGNED(PARAMETER_TRFC, "trfc", HD_UNIT_SECONDS, "65 ns", 0, 1000000000, "length of a refresh"),
};

static const hd_port ports[PORT_COUNT] = {
    [PORT_ACCESS] = {.name = "access",
                     .direction = HD_PORT_TARGET,
                     .minimum_count = 1,
                     .maximum_count = 1,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "reads and writes of the channel"},
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
    [STATISTIC_READS] = {"reads", "requests", HD_STATISTIC_COUNT, 0, "reads carried out"},
    [STATISTIC_WRITES] = {"writes", "requests", HD_STATISTIC_COUNT, 0, "writes carried out"},
    [STATISTIC_BYTES_READ] = {"bytes_read", "bytes", HD_STATISTIC_COUNT, 0, "bytes read"},
    [STATISTIC_BYTES_WRITTEN] = {"bytes_written", "bytes", HD_STATISTIC_COUNT, 0,
                                 "bytes written, disabled ones included"},
    [STATISTIC_REFUSED] = {"refused", "requests", HD_STATISTIC_COUNT, 0, "requests answered with an error"},
    [STATISTIC_ACTIVATES] = {"activates", "commands", HD_STATISTIC_COUNT, 0, "rows opened"},
    [STATISTIC_PRECHARGES] = {"precharges", "commands", HD_STATISTIC_COUNT, 0, "rows closed, refreshes included"},
    [STATISTIC_ROW_HITS] = {"row_hits", "requests", HD_STATISTIC_COUNT, 0, "requests that found their row open"},
    [STATISTIC_ROW_MISSES] = {"row_misses", "requests", HD_STATISTIC_COUNT, 0, "requests that found their bank closed"},
    [STATISTIC_ROW_CONFLICTS] = {"row_conflicts", "requests", HD_STATISTIC_COUNT, 0,
                                 "requests that found another row open"},
    [STATISTIC_REFRESHES] = {"refreshes", "commands", HD_STATISTIC_COUNT, 0, "refreshes up to the last command"},
    [STATISTIC_BUS_BUSY_CYCLES] = {"bus_busy_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                   "cycles in which the data bus moves data"},
    [STATISTIC_QUEUEING_CYCLES] = {"queueing_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                   "from acceptance to the last column command, summed over requests"},
    [STATISTIC_RESPONSE_STALL_CYCLES] = {"response_stall_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                         "cycles in which a response waited for a credit"},
    [STATISTIC_QUEUE_MAXIMUM] = {"queue_maximum", "requests", HD_STATISTIC_MAXIMUM, 0, "most requests in the queue"},
};

static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"},
};

static const uint64_t *counters(hd_block *block)
{
    return ((struct dram *)block)->statistics;
}

__attribute__((visibility("default"))) const hd_block_class hd_dram_fr_fcfs = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "dram",
    .type = "fr_fcfs",
    .doc = "one GDDR5 channel: banks, row buffers, first-ready first-come scheduling, the data",
    .source = "Fung 2015 §2.3.3, Table 6.1",
    .flags = HD_BLOCK_LOOKS_AHEAD,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = sizeof messages / sizeof messages[0],
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .check = dram_check,
    .create = dram_create,
    .connect = dram_connect,
    .reset = dram_reset,
    .advance = dram_advance,
    .promise = dram_promise,
    .counters = counters,
    .debug_access = dram_debug_access,
    .destroy = dram_destroy,
    .extension = dram_extension,
};
