/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "state.h"
#include "transaction_memory.h"

#define PARAMETER(id, name_, standard_, minimum_, maximum_, doc_)                                                      \
    [id] = {.name = name_,                                                                                             \
            .type = HD_TYPE_UNSIGNED,                                                                                  \
            .standard = standard_,                                                                                     \
            .minimum = minimum_,                                                                                       \
            .maximum = maximum_,                                                                                       \
            .doc = doc_}
static const hd_parameter parameters[PARAMETER_COUNT] = {
    PARAMETER(PARAMETER_WARPS, "warps", "4096", 1, 65536, "limit on the warps of all cores"),
    PARAMETER(PARAMETER_READERS, "readers", "262144", 1, 16777216,
              "limit on registered reads; all lanes of a warp that read a word count once"),
    PARAMETER(PARAMETER_WORDS, "words", "262144", 1, 16777216, "limit on committed words that are not in memory yet"),
    PARAMETER(PARAMETER_STORES, "stores", "65536", 1, 16777216, "limit on outstanding stores to the slices"),
    PARAMETER(PARAMETER_COMMIT_WORDS, "commit_words", "16384", 1, 1048576,
              "limit on the words that a warp writes in one commit"),
    [PARAMETER_CONFLICTS] =
        {.name = "conflicts",
         .type = HD_TYPE_CHOICE,
         .standard = "words",
         .choices = "words|values",
         .doc = "by words: who has read a word that another commits loses, and the block writes what is "
                "committed; by values: cores are told what it is now, compare, and have it written"},
    [PARAMETER_TEST_FORWARDING] =
        {.name = "test.forwarding",
         .type = HD_TYPE_CHOICE,
         .standard = "yes",
         .choices = "yes|no",
         .doc = "for tests: loads are given what is committed and not in memory yet, or are not"},
};

static const hd_statistic statistics[] = {IDEAL_STATISTICS(HD_STATISTIC_ROW)};

#define PORT(id, name_, direction_, minimum_, count_, credits_, doc_)                                                  \
    [id] = {.name = name_,                                                                                             \
            .direction = direction_,                                                                                   \
            .minimum_count = minimum_,                                                                                 \
            .maximum_count = count_,                                                                                   \
            .latency_cycles = 1,                                                                                       \
            .credits = credits_,                                                                                       \
            .doc = doc_}
static const hd_port ports[PORT_COUNT] = {
    PORT(PORT_REQUEST, "request", HD_PORT_RECEIVE, 1, CORES_MAX, 64, "reads and commits of the cores"),
    PORT(PORT_REPLY, "reply", HD_PORT_SEND, 1, CORES_MAX, 8, "replies, dooms and changes, to the cores"),
    PORT(PORT_STORE, "store", HD_PORT_SEND, 0, PARTITIONS_MAX, 8, "committed words, to the slices (conflicts: words)"),
    PORT(PORT_STORED, "stored", HD_PORT_RECEIVE, 0, PARTITIONS_MAX, 8, "replies of the slices"),
};

#define BY_WORDS HD_MESSAGE_WHEN(PARAMETER_CONFLICTS, HD_IDEAL_BY_WORDS)
#define BY_VALUES HD_MESSAGE_WHEN(PARAMETER_CONFLICTS, HD_IDEAL_BY_VALUES)
static const hd_message_use messages[] = {
    {HD_IDEAL_READ, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_IDEAL_COMMIT, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_IDEAL_WORDS, HD_MESSAGE_SENT, 0, "reply"},
    {HD_IDEAL_VERDICT, HD_MESSAGE_SENT, 0, "reply"},
    {HD_IDEAL_DOOM, HD_MESSAGE_SENT, BY_WORDS, "reply"},
    {HD_IDEAL_SETTLED, HD_MESSAGE_SENT, BY_WORDS, "reply"},
    {HD_IDEAL_CHANGED, HD_MESSAGE_SENT, BY_VALUES, "reply"},
    {HD_IDEAL_WRITTEN, HD_MESSAGE_RECEIVED, BY_VALUES, "request"},
    {HD_GLOBAL_STORE, HD_MESSAGE_SENT, BY_WORDS, "store"},
    {HD_GLOBAL_STORE_ACK, HD_MESSAGE_RECEIVED, BY_WORDS, "stored"},
};

static const hd_trace_event trace_events[EVENT_COUNT] = {
    [EVENT_COMMITTED] = {.name = "committed",
                         .form = HD_TRACE_INSTANT,
                         .values = "warp|0xlanes|words",
                         .doc = "lanes of a warp commit; words they write"},
    [EVENT_DOOMED] = {.name = "doomed",
                      .form = HD_TRACE_INSTANT,
                      .values = "warp|0xlanes|0xaddress|winner",
                      .doc = "lanes that have read a word lose to the warp that commits it"},
    [EVENT_DOOM] = {.name = "refusal",
                    .form = HD_TRACE_FLOW,
                    .doc = "from a refused access, or the commit of the winner, to the abort of the lanes"},
    [EVENT_CHANGED] = {.name = "changed",
                       .form = HD_TRACE_INSTANT,
                       .values = "warp|words",
                       .doc = "a warp is told what words are now that it has read and another commits"},
    [EVENT_WORDS] = {.name = "words",
                     .form = HD_TRACE_COUNTER,
                     .unit = "words",
                     .doc = "committed words that are not in memory yet"},
};

void ideal_overflow(const ideal_memory *self, hd_time t, uint32_t parameter)
{
    const uint32_t limits[PARAMETER_COUNT] = {[PARAMETER_WARPS] = self->warp_limit,
                                              [PARAMETER_READERS] = self->reader_pool.capacity,
                                              [PARAMETER_WORDS] = self->word_pool.capacity,
                                              [PARAMETER_STORES] = self->store_pool.capacity,
                                              [PARAMETER_COMMIT_WORDS] = self->commit_words};
    self->services->fault(self->services->context, t, "%s: %s (%" PRIu32 ") does not suffice: raise it",
                          self->services->name, parameters[parameter].name, limits[parameter]);
}

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)&((ideal_memory *)block)->counters;
}

__attribute__((visibility("default"))) const hd_block_class hd_transaction_memory_ideal = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "transaction_memory",
    .type = "ideal",
    .doc = "ideal conflict detection for the transactions of all cores: an upper bound",
    .source = "Fung 2015 §4.1",
    .flags = HD_BLOCK_ADDRESS_MAP,
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
    .create = ideal_create,
    .connect = ideal_connect,
    .reset = ideal_reset,
    .advance = ideal_advance,
    .counters = counters,
    .destroy = ideal_destroy,
    .extension = ideal_extension,
};
