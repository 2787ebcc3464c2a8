/* SPDX-License-Identifier: MIT */
#include "commit_unit.h"
#include "state.h"
#include "structures.h"

static const hd_parameter parameters[PARAMETER_COUNT] = {KILO_PARAMETERS(HD_PARAMETER_ROW)};

static const hd_statistic statistics[] = {KILO_STATISTICS(HD_STATISTIC_ROW)};

#define PORT(id, name_, direction_, minimum_, latency_, credits_, doc_)                                                \
    [id] = {.name = name_,                                                                                             \
            .direction = direction_,                                                                                   \
            .minimum_count = minimum_,                                                                                 \
            .maximum_count = 1,                                                                                        \
            .latency_cycles = latency_,                                                                                \
            .credits = credits_,                                                                                       \
            .doc = doc_}
static const hd_port ports[PORT_COUNT] = {
    PORT(PORT_REQUEST, "request", HD_PORT_RECEIVE, 1, 1, 64, "logs and outcomes, from cores"),
    PORT(PORT_REPLY, "reply", HD_PORT_SEND, 1, 1, 8, "verdicts and acknowledgements, to cores"),
    PORT(PORT_ACCESS, "access", HD_PORT_SEND, 1, 1, 8, "loads and stores, to the slice"),
    PORT(PORT_ACCESSED, "accessed", HD_PORT_RECEIVE, 1, 1, 8, "replies of the slice"),
    PORT(PORT_ROOM, "room", HD_PORT_SEND, 0, 1, 8, "for which commit IDs there is room, to their vendor"),
    PORT(PORT_TAP, "tap", HD_PORT_TAP, 0, 0, 0, "accesses accepted by the slice, for temporal conflict detection"),
};

#define VALIDATES HD_MESSAGE_WHEN(PARAMETER_VALIDATE, HD_KILO_VALIDATE_READ_SETS)
#define BROADCASTS HD_MESSAGE_WHEN(PARAMETER_BROADCAST, BROADCAST_WORDS)
#define SIGNS HD_MESSAGE_WHEN(PARAMETER_BROADCAST, BROADCAST_SIGNATURES)
static const hd_message_use messages[] = {
    {HD_KILO_READ_SET, HD_MESSAGE_RECEIVED, VALIDATES, "request"},
    {HD_KILO_WRITE_SET, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_KILO_DONE_SKIP, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_KILO_OUTCOME, HD_MESSAGE_RECEIVED, VALIDATES, "request"},
    {HD_KILO_RESENT, HD_MESSAGE_RECEIVED, VALIDATES, "request"},
    {HD_KILO_VERDICT, HD_MESSAGE_SENT, VALIDATES, "reply"},
    {HD_KILO_COMMITTED, HD_MESSAGE_SENT, 0, "reply"},
    {HD_KILO_RESEND, HD_MESSAGE_SENT, VALIDATES, "reply"},
    {HD_KILO_ENTER, HD_MESSAGE_SENT, BROADCASTS, "reply"},
    {HD_KILO_LEAVE, HD_MESSAGE_SENT, BROADCASTS, "reply"},
    {HD_KILO_SIGNATURE, HD_MESSAGE_SENT, SIGNS, "reply"},
    {HD_GLOBAL_LOAD, HD_MESSAGE_SENT, VALIDATES, "access"},
    {HD_GLOBAL_STORE, HD_MESSAGE_SENT, 0, "access"},
    {HD_GLOBAL_LOAD_REPLY, HD_MESSAGE_RECEIVED, VALIDATES, "accessed"},
    {HD_GLOBAL_STORE_ACK, HD_MESSAGE_RECEIVED, 0, "accessed"},
    {HD_KILO_ROOM, HD_MESSAGE_SENT, 0, "room"},
};

static const hd_trace_event trace_events[EVENT_COUNT] = {
    [EVENT_ENTRIES] = {"entries", HD_TRACE_COUNTER, 0, NULL, "entries", "entries of the ring in use"},
    [EVENT_VERDICT] = {"verdict", HD_TRACE_INSTANT, 0, "warp|lane|id|passes", NULL, "a lane passes here, or fails"},
    [EVENT_OUTCOME] = {"outcome", HD_TRACE_INSTANT, 0, "warp|lane|id|commits", NULL,
                       "a lane that has passed here commits, or has failed elsewhere"},
    [EVENT_HAZARD] = {"hazard", HD_TRACE_INSTANT, 0, "warp|lane|0xaddress|writer", NULL,
                      "a lane waits until the writer of a word that it has read has retired"},
    [EVENT_FAILURE] = {"failure", HD_TRACE_FLOW, 0, NULL, NULL,
                       "from a verdict that a lane fails to its arrival in the core"},
    [EVENT_VALIDATED] = {"validated", HD_TRACE_INSTANT, 1, "warp|lane|0xaddress|0xvalue", NULL,
                         "what is in memory is compared with what a lane has read"},
    [EVENT_WRITTEN] = {"written", HD_TRACE_INSTANT, 1, "warp|0xaddress|words", NULL, "words of a warp are in memory"},
    [EVENT_RETIRED] = {"retired", HD_TRACE_INSTANT, 1, "id", NULL, "an entry is free again"},
};

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)&((kilo_unit *)block)->counters;
}

static const hd_energy_event energy_events[] = {
    HD_ENERGY_ROW("entry_access", "transactions + skips + outcomes.commit + outcomes.abort", TM,
                  "an entry of the ring is read or written"),
    HD_ENERGY_ROW("history_access", "hazard.reads + hazard.writes", TM, "the table of last writers is read or written"),
    HD_ENERGY_ROW("filter_access", "history.evictions", TM, "a last writer goes to the filter"),
    HD_ENERGY_ROW("buffer_access", "read_words + write_words + validated_words + stored_words", TM,
                  "a word enters or leaves the buffers"),
    HD_ENERGY_ROW("time_access", "tcd.loads + tcd.writes", TM, "the table of times of writes is read or written"),
};

__attribute__((visibility("default"))) const hd_block_class hd_commit_unit_kilo = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "commit_unit",
    .type = "kilo",
    .doc = "validates transactions by value when they commit, and applies their writes in the order of commit IDs",
    .source = "Fung 2015 §4.2, §6.2, §6.4",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = sizeof statistics / sizeof *statistics,
    .message_count = sizeof messages / sizeof *messages,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .trace_events = trace_events,
    .trace_event_count = EVENT_COUNT,
    .check = kilo_unit_check,
    .create = kilo_unit_create,
    .connect = kilo_unit_connect,
    .reset = kilo_unit_reset,
    .advance = kilo_unit_advance,
    .counters = counters,
    .destroy = kilo_unit_destroy,
    .extension = kilo_unit_extension,
    .structures = kilo_unit_structures,
    .structure_count = KILO_STRUCTURES,
    .energy_events = energy_events,
    .energy_event_count = sizeof energy_events / sizeof *energy_events,
};
