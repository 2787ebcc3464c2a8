/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "fake_blocks.h"

#include "compose.h"
#include "fake_units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define PARAMETERS(table) .parameters = table, .parameter_count = COUNT(table)
#define PORTS(table) .ports = table, .port_count = COUNT(table)
#define MESSAGES(table) .messages = table, .message_count = COUNT(table)
#define STATISTICS(table) .statistics = table, .statistic_count = COUNT(table)
#define CLASS(k, t) .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = k, .type = t

static const hd_parameter core_parameters[] = {
    {"lanes", HD_TYPE_UNSIGNED, 0, "32", 1, 32, NULL, "threads of a warp"},
    {"warps", HD_TYPE_UNSIGNED, 0, "48", 1, 64, NULL, "resident warps"},
    {"blocks", HD_TYPE_UNSIGNED, 0, "8", 1, 32, NULL, "resident thread blocks"},
    {"registers", HD_TYPE_UNSIGNED, 0, "32768", 1, 0, NULL, "32-bit registers"},
    {"simd_width", HD_TYPE_UNSIGNED, 0, "16", 1, 32, NULL, "lanes that execute at once"},
    {"schedulers", HD_TYPE_UNSIGNED, 0, "2", 1, 4, NULL, "instructions issued per cycle"},
    {"scheduler", HD_TYPE_CHOICE, 0, "lrr", 0, 0, "lrr|gto", "which ready warp issues"},
    {"scheduler.age_rotation", HD_TYPE_UNSIGNED, HD_UNIT_CYCLES, "0 cycles", 0, 0, NULL, "when ages rotate"},
    {"reconvergence", HD_TYPE_CHOICE, 0, "stack", 0, 0, "stack|mimd", "how lanes meet again"},
    {"scratchpad.bytes", HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "48 KiB", 0, 1 << 20, NULL, "size of the scratchpad"},
    {"scratchpad.banks", HD_TYPE_UNSIGNED, 0, "32", 1, 64, NULL, "words per cycle"},
    {"l1.bytes", HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "48 KiB", 128, 0, NULL, "size of the data cache"},
    {"l1.ways", HD_TYPE_UNSIGNED, 0, "6", 1, 0, NULL, "associativity"},
    {"l1.global", HD_TYPE_CHOICE, 0, "bypass", 0, 0, "bypass|cache", "global lines"},
    {"l1.prefetch", HD_TYPE_BOOLEAN, 0, "false", 0, 0, NULL, "fetch the next line"},
    {"label", HD_TYPE_TEXT, 0, "none", 0, 0, NULL, "a text"},
    {"bias", HD_TYPE_REAL, 0, "0.5", 0, 0, NULL, "a number"},
    {"tx", HD_TYPE_CHOICE, 0, "none", 0, 0, NULL, "protocol of transactions"},
};
static const hd_port core_ports[] = {
    {"request", HD_PORT_SEND, 1, 1, 1, 8, "to the memory"},
    {"reply", HD_PORT_RECEIVE, 1, 1, 1, 8, "from the memory"},
    {"dispatch", HD_PORT_RECEIVE, 1, 1, 1, 4, "blocks to run"},
    {"event", HD_PORT_SEND, 1, 1, 1, 4, "blocks that are done"},
};
static const hd_message_use core_messages[] = {
    {"load/1", HD_MESSAGE_SENT, 0, "request"},
    {"load_reply/1", HD_MESSAGE_RECEIVED, 0, "reply"},
    {"launch/1", HD_MESSAGE_RECEIVED, 0, "dispatch"},
    {"block_done/1", HD_MESSAGE_SENT, 0, "event"},
};
static const hd_statistic core_statistics[] = {
    {"instructions", "instructions", HD_STATISTIC_COUNT, 0, "warp instructions issued"},
    {"resident_warps", "warps", HD_STATISTIC_MAXIMUM, 0, "most warps at once"},
    {"empty_cycles", "cycles", HD_STATISTIC_COUNT, 0, "cycles without a warp"},
};
static const hd_energy_event core_energy[] = {
    HD_ENERGY_ROW("issue", "instructions", CORE, "an instruction issues"),
    HD_ENERGY_ROW("idle", "empty_cycles", IDLE, "power of a core without a warp"),
};
enum { WARPS = 1, SCHEDULERS = 5, SCHEDULER = 6, RECONVERGENCE = 8, PREFETCH = 14, TX = 17 };

static uint32_t core_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    if (!strcmp(values[SCHEDULER].text, "gto") && !strcmp(values[RECONVERGENCE].text, "mimd"))
        *conflict = (hd_conflict){RECONVERGENCE, SCHEDULER, "no source says what gto is over the paths of mimd"};
    else if (values[SCHEDULERS].u > values[WARPS].u)
        *conflict = (hd_conflict){WARPS, SCHEDULERS, "there are fewer warps than schedulers"};
    else if (values[PREFETCH].u && clock.hz < 1000000000)
        *conflict = (hd_conflict){PREFETCH, PREFETCH, "prefetching needs 1 GHz"};
    else
        return 1;
    return 0;
}

static const hd_unit_slot core_slots[] = {{.kind = "tx",
                                           .interface = FAKE_TX_INTERFACE,
                                           .parameter = TX,
                                           .units = fake_protocols,
                                           .unit_count = FAKE_PROTOCOLS,
                                           .none = "none",
                                           .requirements = fake_tx_requirements,
                                           .requirement_count = FAKE_TX_REQUIREMENTS}};
static const hd_block_class core = {
    CLASS("simt_core", "timed"), .doc = "a SIMT core",    .source = "Fung 2015, chapter 2", PARAMETERS(core_parameters),
    PORTS(core_ports),           MESSAGES(core_messages), STATISTICS(core_statistics),      .check = core_check,
    .unit_slots = core_slots,    .unit_slot_count = 1,    .energy_events = core_energy,     .energy_event_count = 2};

static const hd_parameter functional_parameters[] = {
    {"quantum", HD_TYPE_UNSIGNED, 0, NULL, 1, 0, NULL, "instructions per turn"},
    {"warps", HD_TYPE_UNSIGNED, 0, "48", 1, 64, NULL, "resident warps"},
};
static const hd_block_class functional_core = {CLASS("simt_core", "functional"),
                                               .doc = "a loosely timed core",
                                               .flags = HD_BLOCK_DIRECT,
                                               PARAMETERS(functional_parameters),
                                               PORTS(core_ports),
                                               MESSAGES(core_messages)};

static const hd_parameter crossbar_parameters[] = {
    {"flit_bytes", HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "32 B", 1, 1024, NULL, "bytes per cycle and port"},
    {"latency", HD_TYPE_UNSIGNED, HD_UNIT_CYCLES, "5 cycles", 1, 1000, NULL, "from input to output"},
};
static const hd_port crossbar_ports[] = {
    {"input", HD_PORT_RECEIVE, 1, 64, 1, 8, "packets in"},
    {"output", HD_PORT_SEND, 1, 64, 2, 8, "packets out"},
};
static const hd_block_class crossbar = {CLASS("crossbar", "round_robin"), .doc = "a crossbar",
                                        .flags = HD_BLOCK_FORWARDS, PARAMETERS(crossbar_parameters),
                                        PORTS(crossbar_ports)};

static const hd_parameter l2_parameters[] = {
    {"bytes", HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "128 KiB", 128, 0, NULL, "size"},
    {"ways", HD_TYPE_UNSIGNED, 0, "8", 1, 64, NULL, "associativity"},
};
static const hd_port l2_ports[] = {
    {"request", HD_PORT_RECEIVE, 1, 4, 1, 8, "accesses"},
    {"reply", HD_PORT_SEND, 1, 1, 1, 8, "answers"},
    {"memory", HD_PORT_INITIATOR, 1, 1, 1, 16, "what misses"},
    {"tap", HD_PORT_TAPPED, 0, 4, 0, 0, "what is accepted"},
};
static const hd_message_use l2_messages[] = {
    {"load/1", HD_MESSAGE_RECEIVED, 0, "request"},
    {"copy/1", HD_MESSAGE_RECEIVED, 0, "request"},
    {"load_reply/1", HD_MESSAGE_SENT, 0, "reply"},
    {"copy_reply/1", HD_MESSAGE_SENT, 0, "reply"},
};
static const hd_block_class l2 = {CLASS("l2_slice", "write_back"), .doc = "a slice of the L2 cache",
                                  PARAMETERS(l2_parameters), PORTS(l2_ports), MESSAGES(l2_messages)};

static const hd_parameter dram_parameters[] = {
    {"row_policy", HD_TYPE_CHOICE, 0, "open", 0, 0, "open|closed|adaptive", "when a row is closed"},
    {"refresh", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "3.9 us", 1000, 0, NULL, "time between refreshes"},
    {"bus", HD_TYPE_UNSIGNED, HD_UNIT_HERTZ, "1848 MHz", 1, 0, NULL, "data rate"},
};
static const hd_port dram_ports[] = {{"access", HD_PORT_TARGET, 1, 1, 3, 32, "reads and writes"}};
static const hd_block_class dram = {CLASS("dram", "fr_fcfs"), .doc = "a DRAM channel", PARAMETERS(dram_parameters),
                                    PORTS(dram_ports)};
static const hd_parameter plain_dram_parameters[] = {
    {"latency", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "50 ns", 1, 0, NULL, "of each access"},
    {"bus", HD_TYPE_UNSIGNED, HD_UNIT_HERTZ, "924 MHz", 1, 0, NULL, "data rate"},
    {"refresh", HD_TYPE_UNSIGNED, HD_UNIT_CYCLES, "900 cycles", 1, 0, NULL, "cycles between refreshes"},
};
static const hd_block_class plain_dram = {CLASS("dram", "plain"), .doc = "a channel of fixed latency",
                                          PARAMETERS(plain_dram_parameters), PORTS(dram_ports)};
static const hd_block_class old_dram = {.abi_version = HD_ABI_VERSION + 1,
                                        .struct_bytes = sizeof(hd_block_class),
                                        .kind = "dram",
                                        .type = "ideal",
                                        .doc = "from another time",
                                        PORTS(dram_ports)};

static const hd_port scheduler_ports[] = {
    {"launch", HD_PORT_RECEIVE, 1, 1, 1, 2, "grids"},
    {"done", HD_PORT_SEND, 1, 1, 1, 2, "finished grids"},
    {"dispatch", HD_PORT_SEND, 1, 1024, 1, 2, "blocks to cores"},
    {"event", HD_PORT_RECEIVE, 1, 1024, 1, 2, "what cores say"},
};
static const hd_message_use scheduler_messages[] = {
    {"grid/1", HD_MESSAGE_RECEIVED, 0, "launch"},
    {"grid_done/1", HD_MESSAGE_SENT, 0, "done"},
    {"launch/1", HD_MESSAGE_SENT, 0, "dispatch"},
    {"block_done/1", HD_MESSAGE_RECEIVED, 0, "event"},
};
static const hd_block_class scheduler = {CLASS("tb_scheduler", "round_robin"), .doc = "a thread-block scheduler",
                                         PORTS(scheduler_ports), MESSAGES(scheduler_messages)};

static const hd_port processor_ports[] = {
    {"host", HD_PORT_TARGET, 1, 1, 1, 4, "host accesses"},  {"interrupt", HD_PORT_SEND, 1, 1, 1, 1, "to the host"},
    {"request", HD_PORT_SEND, 1, 1, 1, 8, "to the memory"}, {"reply", HD_PORT_RECEIVE, 1, 1, 1, 8, "from the memory"},
    {"launch", HD_PORT_SEND, 1, 1, 1, 2, "grids"},          {"done", HD_PORT_RECEIVE, 1, 1, 1, 2, "finished grids"},
};
static const hd_message_use processor_messages[] = {
    {"interrupt/1", HD_MESSAGE_SENT, 0, "interrupt"},  {"copy/1", HD_MESSAGE_SENT, 0, "request"},
    {"copy_reply/1", HD_MESSAGE_RECEIVED, 0, "reply"}, {"grid/1", HD_MESSAGE_SENT, 0, "launch"},
    {"grid_done/1", HD_MESSAGE_RECEIVED, 0, "done"},
};
static const hd_block_class processor = {CLASS("command_processor", "queues"), .doc = "takes commands from the host",
                                         PORTS(processor_ports), MESSAGES(processor_messages)};

static const hd_port host_ports[] = {
    {"bus", HD_PORT_INITIATOR, 1, 1, 1, 4, "accesses"},
    {"interrupt", HD_PORT_RECEIVE, 0, 1, 1, 1, "interrupts"},
};
static const hd_message_use host_messages[] = {{"interrupt/1", HD_MESSAGE_RECEIVED, 0, "interrupt"}};
static const hd_block_class host = {CLASS("host_cpu", "native"), .doc = "the host program", PORTS(host_ports),
                                    MESSAGES(host_messages)};

static const hd_port probe_ports[] = {{"out", HD_PORT_SEND, 0, UINT32_MAX, 1, 1, "anything"}};
static const hd_block_class probe = {CLASS("probe", "plain"), .doc = "sends and is bound to nothing",
                                     PORTS(probe_ports)};

static const hd_port checker_ports[] = {{"tap", HD_PORT_TAP, 1, 16, 0, 0, "what slices accept"},
                                        {"answer", HD_PORT_SEND, 0, 4, 1, 1, "what it thinks"},
                                        {"echo", HD_PORT_TAPPED, 0, 4, 0, 0, "what it has heard"}};
static const hd_block_class checker = {CLASS("listener", "plain"), .doc = "listens", PORTS(checker_ports)};

static const hd_port generator_ports[] = {
    {"request", HD_PORT_SEND, 1, 4, 1, 8, "to the memory"},
    {"reply", HD_PORT_RECEIVE, 1, 4, 1, 8, "from the memory"},
};
static const hd_message_use generator_messages[] = {
    {"copy/1", HD_MESSAGE_SENT, 0, "request"},
    {"copy_reply/1", HD_MESSAGE_RECEIVED, 0, "reply"},
    {"load_reply/1", HD_MESSAGE_RECEIVED, 0, "reply"},
};
static const hd_block_class generator = {CLASS("traffic_generator", "plain"), .doc = "sends by address",
                                         .flags = HD_BLOCK_ADDRESS_MAP, PORTS(generator_ports),
                                         MESSAGES(generator_messages)};

/* Bound to nothing: what counts is that they are there. */
static const hd_parameter validation_parameters[] = {
    {"granule", HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "32 B", 16, 128, NULL, "what is checked as one"},
    {"warp_bits", HD_TYPE_UNSIGNED, 0, "8", 0, 16, NULL, "of a timestamp"},
};
static const hd_block_class validation = {CLASS("validation_unit", "getm"), .doc = "decides on accesses",
                                          PARAMETERS(validation_parameters), PORTS(probe_ports)};
static const hd_block_class commit = {CLASS("commit_unit", "getm"), .doc = "applies logs", PORTS(probe_ports)};

static const hd_port pair_ports[] = {{"in", HD_PORT_RECEIVE, 2, 4, 1, 1, "at least two"}};
static const hd_block_class pair = {CLASS("pair", "plain"), .doc = "wants two", PORTS(pair_ports)};

static const hd_parameter store_parameters[] = {
    {"pages", HD_TYPE_UNSIGNED, 0, "1", 0, 0, NULL, "size"},
    {"shared", HD_TYPE_UNSIGNED, 0, "0", 0, 0, NULL, "size of what is shared"},
};
static const hd_port store_ports[] = {
    {"in", HD_PORT_TARGET, 0, 1, 1, 1, "accesses"},
    {"side", HD_PORT_TARGET, 0, 1, 1, 1, "more of them"},
};
static const hd_window store_windows[] = {
    {"pages", NULL, 0x10000, 0x1000, "pages", 0, 0, "its own", NULL},
    {"commons", NULL, 0x80000, 0x1000, "shared", HD_WINDOW_SHARED, 0, "everybody's", NULL},
    {"registers", "in", 0x40000, 0x1000, NULL, 0, 0, "registers", NULL},
    {"more registers", "side", 0x40800, 0x1000, NULL, 0, 0, "registers at another port", NULL},
};
static const hd_block_class store = {CLASS("store", "paged"),
                                     .doc = "owns addresses",
                                     .flags = HD_BLOCK_ADDRESS_MAP,
                                     .windows = store_windows,
                                     .window_count = COUNT(store_windows),
                                     PARAMETERS(store_parameters),
                                     PORTS(store_ports)};

static const hd_block_class *const declared[] = {
    &core, &functional_core, &crossbar, &l2,    &dram,    &plain_dram, &old_dram,   &scheduler, &processor,
    &host, &probe,           &pair,     &store, &checker, &generator,  &validation, &commit};

static const hd_block_class *classes[COUNT(declared)];

static void compose(void)
{
    for (size_t i = 0; !classes[COUNT(declared) - 1] && i < COUNT(declared); i++)
        classes[i] = declared[i]->unit_slot_count ? units_compose(declared[i], NULL, 0) : declared[i];
}

/* A loader that knows files by their names: N42_missing.so is refused with N42. fake.so brings one class. */
static const hd_block_class plugged_dram = {CLASS("dram", "plugged"), .doc = "a channel from a plug-in",
                                            PARAMETERS(dram_parameters), PORTS(dram_ports)};

static uint32_t fake_load(void *context, const char *path, netlist_registry *registry, char **refusal)
{
    static const hd_block_class *all[COUNT(classes) + 1];
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    (void)context;
    if (name[0] == 'N') {
        *refusal = NULL;
        if (asprintf(refusal, "plug-in '%s' is refused\nthe first reason\nthe second", path) < 0)
            abort();
        return (uint32_t)atoi(name + 1);
    }
    memcpy(all, classes, sizeof classes);
    all[COUNT(classes)] = &plugged_dram;
    *registry = (netlist_registry){.classes = all, .count = COUNT(all)};
    return 0;
}

static const netlist_plugin_loader fake_loader = {.load = fake_load, .folder = "installed"};

netlist_registry fake_registry(void)
{
    compose();
    return (netlist_registry){.classes = classes, .count = COUNT(classes), .loader = &fake_loader};
}
