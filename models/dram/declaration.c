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
#define CYCLES(id, text_name, text_standard, least, text)                                                              \
    UNSIGNED(id, text_name, HD_UNIT_CYCLES, text_standard, least, 1000, text)
#define CHOICE(id, text_name, text_standard, of_choices, text)                                                         \
    [id] = {.name = text_name, .type = HD_TYPE_CHOICE, .standard = text_standard, .choices = of_choices, .doc = text}

/* clang-format off */
static const hd_parameter parameters[PARAMETER_COUNT] = {
    UNSIGNED(PARAMETER_BANKS, "banks", HD_UNITLESS, "16", 1, DRAM_BANKS, "banks of the channel, a power of two"),
    UNSIGNED(PARAMETER_BANK_GROUPS, "bank_groups", HD_UNITLESS, "4", 1, DRAM_BANKS, "groups of banks, a power of two"),
    UNSIGNED(PARAMETER_ROW_BYTES, "row_bytes", HD_UNIT_BYTES, "2 KiB", 64, 1048576, "bytes of a row buffer, a power of two"),
    [PARAMETER_MAPPING] = {.name = "mapping", .type = HD_TYPE_TEXT, .standard = "row column[..8] bank bank_group column[7..0]",
        .doc = "bits of the channel's address from high to low: row, column, bank, bank_group, some with [high..low] or ^row"},
    UNSIGNED(PARAMETER_BUS_BYTES, "bus_bytes", HD_UNIT_BYTES, "32 B", 1, 1024, "bytes that the data bus moves per cycle"),
    UNSIGNED(PARAMETER_BURST, "burst", HD_UNIT_CYCLES, "2 cycles", 1, 64, "data cycles of one column command"),
    CHOICE(PARAMETER_SCHEDULER, "scheduler", "fr_fcfs", "fr_fcfs|fcfs",
        "which request gets the next command: first ready first come first served, or strictly the oldest"),
    UNSIGNED(PARAMETER_STARVATION_CAP, "scheduler.starvation_cap", HD_UNITLESS, "0", 0, 1000000,
        "fr_fcfs: younger requests that may overtake a request before it is served exclusively; 0 = no limit"),
    CHOICE(PARAMETER_PAGE_POLICY, "page_policy", "open", "open|closed|adaptive",
        "a row without waiting requests stays open, is closed with its last column command, or as a predictor says"),
    UNSIGNED(PARAMETER_PAGE_HISTORY, "page_policy.history", HD_UNITLESS, "3", 1, 255,
        "adaptive: maximum of each bank's saturating counter; half of it or more keeps a row open"),
    UNSIGNED(PARAMETER_QUEUE, "queue", HD_UNITLESS, "32", 1, DRAM_QUEUE, "requests in the scheduling window"),
    UNSIGNED(PARAMETER_RESPONSES, "responses", HD_UNITLESS, "64", 1, 4096,
        "responses per port that may wait to be sent, including those in the pipeline"),
    UNSIGNED(PARAMETER_LATENCY, "latency", HD_UNIT_CYCLES, "98 cycles", 0, 100000,
        "controller latency from data to response; with the default a miss on gtx480 takes 200 core cycles longer than a hit"),
    CYCLES(PARAMETER_TCL, "tcl", "12 cycles", 1, "read command to its data"),
    CYCLES(PARAMETER_TCWL, "tcwl", "4 cycles", 1, "write command to its data"),
    CYCLES(PARAMETER_TRCD, "trcd", "12 cycles", 1, "activate to column command"),
    CYCLES(PARAMETER_TRP, "trp", "12 cycles", 1, "precharge to activate"),
    CYCLES(PARAMETER_TRAS, "tras", "28 cycles", 1, "activate to precharge"),
    CYCLES(PARAMETER_TRC, "trc", "40 cycles", 1, "activate to activate of the same bank"),
    CYCLES(PARAMETER_TRRD_S, "trrd_s", "6 cycles", 1, "activate to activate of any bank"),
    CYCLES(PARAMETER_TRRD_L, "trrd_l", "6 cycles", 1, "the same within one bank group, if longer"),
    CYCLES(PARAMETER_TFAW, "tfaw", "0 cycles", 0, "activate to the fourth activate after it; 0 = no limit"),
    CYCLES(PARAMETER_TCCD_S, "tccd_s", "2 cycles", 1, "column command to column command"),
    CYCLES(PARAMETER_TCCD_L, "tccd_l", "3 cycles", 1, "the same within one bank group, if longer"),
    CYCLES(PARAMETER_TWR, "twr", "12 cycles", 0, "end of written data to precharge"),
    CYCLES(PARAMETER_TWTR_S, "twtr_s", "5 cycles", 0, "end of written data to read command (tCDLR)"),
    CYCLES(PARAMETER_TWTR_L, "twtr_l", "5 cycles", 0, "the same within one bank group, if longer"),
    CYCLES(PARAMETER_TRTP, "trtp", "2 cycles", 1, "read command to precharge"),
    CYCLES(PARAMETER_TURNAROUND, "turnaround", "2 cycles", 0, "idle data cycles when the bus changes direction"),
    UNSIGNED(PARAMETER_TREFI, "trefi", HD_UNIT_SECONDS, "3.9 us", 0, 0, "refresh interval of all banks; 0 s = no refresh"),
    UNSIGNED(PARAMETER_TRFC, "trfc", HD_UNIT_SECONDS, "65 ns", 0, 1000000000, "duration of a refresh"),
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
    DRAM_FRONT_STATISTICS,
    [STATISTIC_ACTIVATES] = {"activates", "commands", HD_STATISTIC_COUNT, 0, "rows opened; (bytes_read + bytes_written) / activates is the bytes per activate"},
    [STATISTIC_PRECHARGES] = {"precharges", "commands", HD_STATISTIC_COUNT, 0, "rows closed, including those closed by page policy and refreshes"},
    [STATISTIC_PAGE_CLOSES] = {"page_closes", "commands", HD_STATISTIC_COUNT, 0, "rows closed by the page policy"},
    [STATISTIC_ROW_HITS] = {"row_hits", "requests", HD_STATISTIC_COUNT, 0, "requests that found their row open"},
    [STATISTIC_ROW_MISSES] = {"row_misses", "requests", HD_STATISTIC_COUNT, 0, "requests that found their bank closed"},
    [STATISTIC_ROW_CONFLICTS] = {"row_conflicts", "requests", HD_STATISTIC_COUNT, 0, "requests that found another row open"},
    [STATISTIC_READ_COMMANDS] = {"read_commands", "commands", HD_STATISTIC_COUNT, 0, "column commands that read: one a burst"},
    [STATISTIC_WRITE_COMMANDS] = {"write_commands", "commands", HD_STATISTIC_COUNT, 0, "column commands that write"},
    [STATISTIC_REFRESHES] = {"refreshes", "commands", HD_STATISTIC_COUNT, 0, "refreshes until the last command"},
    [STATISTIC_TURNAROUNDS] = {"turnarounds", "changes", HD_STATISTIC_COUNT, 0, "direction changes of the data bus"},
    [STATISTIC_BUSY_CYCLES] = {"busy_cycles", "cycles", HD_STATISTIC_COUNT, 0, "cycles in which a request waits or data moves; bus_busy_cycles / busy_cycles is the bus utilisation"},
    [STATISTIC_BANK_BUSY_CYCLES] = {"bank_busy_cycles", "cycles", HD_STATISTIC_COUNT, 0, "the same per bank, summed; bank_busy_cycles / busy_cycles is the bank-level parallelism"},
    [STATISTIC_QUEUEING_CYCLES] = {"queueing_cycles", "cycles", HD_STATISTIC_COUNT, 0, "from acceptance to the last column command, summed over requests"},
    [STATISTIC_CAPPED] = {"capped", "requests", HD_STATISTIC_COUNT, 0, "requests served exclusively because the starvation cap was reached"},
    [STATISTIC_QUEUE_MAXIMUM] = {"queue_maximum", "requests", HD_STATISTIC_MAXIMUM, 0, "most requests in the queue"},
    [STATISTIC_ROW_BYTES] = {"row_bytes.to_64", "rows", HD_STATISTIC_COUNT, 0, "rows closed after moving at most 64 bytes"},
    {"row_bytes.to_256", "rows", HD_STATISTIC_COUNT, 0, "rows closed after moving 65 to 256 bytes"},
    {"row_bytes.to_1024", "rows", HD_STATISTIC_COUNT, 0, "rows closed after moving 257 to 1024 bytes"},
    {"row_bytes.to_4096", "rows", HD_STATISTIC_COUNT, 0, "rows closed after moving 1025 to 4096 bytes"},
    {"row_bytes.more", "rows", HD_STATISTIC_COUNT, 0, "rows closed after moving more than 4096 bytes"},
};
/* clang-format on */

static const hd_energy_event energy_events[] = {
    HD_ENERGY_ROW("read", "read_commands", DRAM, "a column command reads a burst"),
    HD_ENERGY_ROW("write", "write_commands", DRAM, "a column command writes a burst"),
    HD_ENERGY_ROW("activate", "activates", DRAM, "a row is opened"),
    HD_ENERGY_ROW("precharge", "precharges", DRAM, "a row is closed"),
    HD_ENERGY_ROW("refresh", "refreshes", DRAM, "all banks are refreshed"),
    HD_ENERGY_ROW("busy", "busy_cycles", DRAM,
                  "power of a channel with work, beyond that of one without: rows are open"),
};

static const uint64_t *counters(hd_block *block)
{
    return ((struct dram *)block)->statistics;
}

__attribute__((visibility("default"))) const hd_block_class hd_dram_banked = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "dram",
    .type = "banked",
    .doc = "one channel: devices with banks and row buffers, a scheduler with a bounded queue, and the data",
    .source =
        "JEDEC JESD79-4; Rixner 2000 (first ready, first come first served); Fung 2015 §2.3.3, Tables 4.4 and 6.1",
    .flags = HD_BLOCK_LOOKS_AHEAD,
    .parameter_count = PARAMETER_COUNT,
    .port_count = 1,
    .statistic_count = STATISTIC_COUNT,
    .message_count = DRAM_FRONT_MESSAGES,
    .parameters = parameters,
    .ports = dram_front_ports,
    .statistics = statistics,
    .trace_events = dram_trace_events,
    .trace_event_count = EVENT_COUNT,
    .messages = dram_front_messages,
    .check = dram_check,
    .create = dram_create,
    .connect = dram_connect,
    .reset = dram_reset,
    .advance = dram_advance,
    .promise = dram_promise,
    .counters = counters,
    .debug_access = dram_front_debug_access,
    .destroy = dram_destroy,
    .extension = dram_extension,
    .energy_events = energy_events,
    .energy_event_count = sizeof energy_events / sizeof *energy_events,
};
