/* SPDX-License-Identifier: MIT */
#include "round_robin.h"

#include "hd_address.h"
#include "thread_block_policy_units.h"

const hd_parameter round_robin_parameters[PARAMETER_COUNT] = {
    [PARAMETER_GRIDS] = {.name = "grids",
                         .type = HD_TYPE_UNSIGNED,
                         .standard = "16",
                         .minimum = 1,
                         .maximum = 64,
                         .doc = "grids held at a time"},
    [PARAMETER_ORDER] =
        {.name = "order",
         .type = HD_TYPE_CHOICE,
         .standard = "arrival",
         .choices = "arrival|stream",
         .doc = "blocks of a grid start when all blocks of earlier grids have started: of any, or of those "
                "that were launched in the same stream (a queue of the host)"},
    [PARAMETER_DISPATCHES] = {.name = "dispatches",
                              .type = HD_TYPE_UNSIGNED,
                              .standard = "1",
                              .minimum = 1,
                              .maximum = 64,
                              .doc = "thread blocks dispatched per cycle"},
    [PARAMETER_PER_CORE] = {.name = "per_core",
                            .type = HD_TYPE_UNSIGNED,
                            .unit = HD_UNIT_CYCLES,
                            .standard = "0 cycles",
                            .maximum = 1024,
                            .doc = "from one block that a core is given to its next, all cores side by side; 0 cycles: "
                                   "dispatches, of all cores together"},
    [PARAMETER_CONTEXT_SLOTS] = {.name = "context_slots",
                                 .type = HD_TYPE_UNSIGNED,
                                 .standard = "1024",
                                 .minimum = 1,
                                 .maximum = 65536,
                                 .doc = "private memory slots of the machine, one per thread block that has started"},
    [PARAMETER_POLICY] = {.name = "policy",
                          .type = HD_TYPE_CHOICE,
                          .standard = "greedy",
                          .doc = "which core gets the next thread block, and which leave their core before they end"},
    [PARAMETER_TRANSPORT] =
        {.name = "transport",
         .type = HD_TYPE_CHOICE,
         .standard = "preempt",
         .choices = "preempt|shuffle|ideal",
         .doc = "how thread blocks get from core to core: as core.context.storage says; by a buffer of the L2, or if "
                "none is free by memory; or in no time, but for what is in flight and the words of who leaves and comes"},
    [PARAMETER_BUFFERS] = {.name = "buffers",
                           .type = HD_TYPE_UNSIGNED,
                           .standard = "8",
                           .minimum = 1,
                           .maximum = 65536,
                           .doc = "with transport 'shuffle': buffers of contexts, over the slices of the L2 in turn"},
    [PARAMETER_BUFFER_BYTES] = {.name = "buffer_bytes",
                                .type = HD_TYPE_UNSIGNED,
                                .unit = HD_UNIT_BYTES,
                                .standard = "4 KiB",
                                .minimum = 128,
                                .maximum = 16777216,
                                .doc = "of a buffer, a multiple of 128 B; a larger context goes by memory"},
    [PARAMETER_OVERLAP] =
        {.name = "overlap",
         .type = HD_TYPE_BOOLEAN,
         .standard = "true",
         .doc = "with transport 'shuffle': a block goes on to its next core as soon as it begins to leave, and "
                "not when it has"},
};

const hd_port round_robin_ports[PORT_COUNT] = {
    [PORT_LAUNCH] = {.name = "launch",
                     .direction = HD_PORT_RECEIVE,
                     .minimum_count = 1,
                     .maximum_count = 1,
                     .latency_cycles = 1,
                     .credits = 4,
                     .doc = "grids to run"},
    [PORT_DONE] = {.name = "done",
                   .direction = HD_PORT_SEND,
                   .minimum_count = 1,
                   .maximum_count = 1,
                   .latency_cycles = 1,
                   .credits = 4,
                   .doc = "finished grids"},
    [PORT_DISPATCH] = {.name = "dispatch",
                       .direction = HD_PORT_SEND,
                       .minimum_count = 1,
                       .maximum_count = CORES_MAX,
                       .latency_cycles = 1,
                       .credits = 2,
                       .doc = "blocks to the cores"},
    [PORT_EVENT] = {.name = "event",
                    .direction = HD_PORT_RECEIVE,
                    .minimum_count = 1,
                    .maximum_count = CORES_MAX,
                    .latency_cycles = 1,
                    .credits = 4,
                    .doc = "capacities and finished blocks from the cores"},
};

#define SHUFFLES HD_STATISTIC_WHEN(PARAMETER_TRANSPORT, PARAMETER_TRANSPORT)

const hd_statistic round_robin_statistics[STATISTIC_COUNT] = {
    [STATISTIC_GRIDS] = {"grids", "grids", HD_STATISTIC_COUNT, 0, "grids finished"},
    [STATISTIC_BLOCKS] = {"blocks", "blocks", HD_STATISTIC_COUNT, 0, "thread blocks dispatched"},
    [STATISTIC_BUSY_CYCLES] = {"busy_cycles", "cycles", HD_STATISTIC_COUNT, 0, "cycles with a grid held"},
    [STATISTIC_DISPATCH_CYCLES] = {"dispatch_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                   "cycles after which there were still thread blocks to dispatch"},
    [STATISTIC_RESIDENT_BLOCK_CYCLES] = {"resident_block_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                         "resident thread blocks, summed over cycles"},
    [STATISTIC_STALL_ROOM_CYCLES] = {"stall_room_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                     "cycles in which no core had room for the next block"},
    [STATISTIC_STALL_SLOT_CYCLES] = {"stall_slot_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                     "cycles in which the next block had no context slot"},
    [STATISTIC_STALL_CREDIT_CYCLES] = {"stall_credit_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                       "cycles in which no core with room accepted the next block"},
    [STATISTIC_STALL_POLICY_CYCLES] =
        {"stall_policy_cycles", "cycles", HD_STATISTIC_COUNT, HD_STATISTIC_SELDOM,
         "cycles in which the policy gave the next block no core, though one would take it"},
    [STATISTIC_PREEMPTIONS] = {"preemptions", "blocks", HD_STATISTIC_COUNT,
                               HD_STATISTIC_WHEN(PARAMETER_POLICY, PARAMETER_POLICY),
                               "thread blocks that have left their core before they ended"},
    [STATISTIC_RESUMPTIONS] = {"resumptions", "blocks", HD_STATISTIC_COUNT,
                               HD_STATISTIC_WHEN(PARAMETER_POLICY, PARAMETER_POLICY),
                               "thread blocks that were sent to a core to go on"},
    [STATISTIC_SHUFFLES] = {"shuffles", "blocks", HD_STATISTIC_COUNT, SHUFFLES,
                            "of resumptions, those by a buffer, as far as they have left it"},
    [STATISTIC_SHUFFLE_CYCLES] = {"shuffle_cycles", "cycles", HD_STATISTIC_COUNT, SHUFFLES,
                                  "cycles of shuffles, from the word to the core until it has all of the block"},
    [STATISTIC_OVERLAPS] = {"overlaps", "blocks", HD_STATISTIC_COUNT, SHUFFLES,
                            "of resumptions, those of blocks that had not left their core whole"},
    [STATISTIC_BUFFERS_FULL] = {"buffers_full", "blocks", HD_STATISTIC_COUNT, SHUFFLES,
                                "thread blocks that left for memory because all buffers were taken"},
    [STATISTIC_BUFFERS_MAXIMUM] = {"buffers_maximum", "buffers", HD_STATISTIC_MAXIMUM, SHUFFLES,
                                   "most buffers taken at a time"},
    [STATISTIC_MAX_RESIDENT_BLOCKS] = {"max_resident_blocks", "blocks", HD_STATISTIC_MAXIMUM, 0,
                                       "most thread blocks resident at a time"},
    [STATISTIC_MAX_GRIDS] = {"max_grids", "grids", HD_STATISTIC_MAXIMUM, 0, "most grids held at a time"},
};

const hd_trace_event round_robin_trace_events[EVENT_COUNT] = {
    [EVENT_GRID] = {"grid", HD_TRACE_SPAN, 0, "launch|blocks", NULL,
                    "a grid is held, from its launch to its last block"},
    [EVENT_DISPATCH] = {"block.dispatch", HD_TRACE_INSTANT, 0, "block|launch|core", NULL,
                        "a thread block is sent to a core"},
    [EVENT_RESIDENT_BLOCKS] = {"resident_blocks", HD_TRACE_COUNTER, 0, NULL, "blocks", "thread blocks on cores"},
    [EVENT_START] = {"dispatch", HD_TRACE_FLOW, 0, NULL, NULL, "from the dispatch of a block to its start"},
};

#define BY_BUFFERS HD_MESSAGE_WHEN(PARAMETER_TRANSPORT, TRANSPORT_SHUFFLE)

const hd_message_use round_robin_messages[MESSAGE_COUNT] = {
    [MESSAGE_GRID_LAUNCH] = {HD_GRID_LAUNCH, HD_MESSAGE_RECEIVED, 0, "launch"},
    [MESSAGE_GRID_DONE] = {HD_GRID_DONE, HD_MESSAGE_SENT, 0, "done"},
    [MESSAGE_CAPACITY] = {HD_CORE_CAPACITY, HD_MESSAGE_RECEIVED, 0, "event"},
    [MESSAGE_BLOCK_LAUNCH] = {HD_BLOCK_LAUNCH, HD_MESSAGE_SENT, 0, "dispatch"},
    [MESSAGE_BLOCK_DONE] = {HD_BLOCK_DONE, HD_MESSAGE_RECEIVED, 0, "event"},
    [MESSAGE_SHUFFLE] = {HD_BLOCK_SHUFFLE, HD_MESSAGE_SENT, BY_BUFFERS, "dispatch"},
    [MESSAGE_LEAVING] = {HD_BLOCK_LEAVING, HD_MESSAGE_RECEIVED, BY_BUFFERS, "event"},
    [MESSAGE_RESTORED] = {HD_BLOCK_RESTORED, HD_MESSAGE_RECEIVED, BY_BUFFERS, "event"},
};

const hd_window round_robin_windows[WINDOW_COUNT] = {
    [WINDOW_CONTEXT_SLOTS] = {.name = "context slots",
                              .base = HD_PHYSICAL_CONTEXT_BASE,
                              .bytes = HD_CONTEXT_BYTES,
                              .parameter = "context_slots",
                              .doc = "private memory of the resident thread blocks"},
};

static const hd_unit *const policies[] = {THREAD_BLOCK_POLICY_UNITS(HD_UNIT_POINTER)};

/* Whatever the policy. */
static const hd_requirement policy_needs[] = {
    {.what = HD_REQUIRES_LEAST,
     .sentence = "moves thread blocks by buffers of the L2 (transport 'shuffle'), which needs ways for them",
     .parameter = "transport",
     .kind = "l2_slice",
     .other = "context_ways",
     .minimum = 1,
     .when = "transport",
     .when_word = "shuffle"},
    {.what = HD_REQUIRES_ROOM,
     .sentence = "moves thread blocks by buffers of the L2 (transport 'shuffle'), and each needs its place there",
     .parameter = "buffers",
     .sum = "buffer_bytes",
     .kind = "l2_slice",
     .other = "context_ways",
     .word = "bytes",
     .type = "ways",
     .when = "transport",
     .when_word = "shuffle"},
};

const hd_unit_slot round_robin_slots[ROUND_ROBIN_UNITS] = {
    [ROUND_ROBIN_POLICY] = {.kind = "thread_block_policy",
                            .interface = THREAD_BLOCK_POLICY_INTERFACE,
                            .parameter = PARAMETER_POLICY,
                            .unit_count = sizeof policies / sizeof *policies,
                            .units = policies,
                            .requirement_count = sizeof policy_needs / sizeof *policy_needs,
                            .requirements = policy_needs},
};
