/* SPDX-License-Identifier: MIT */
#include "l2_slice.h"
#include "parts.h"

#define UNSIGNED(id, text_name, of_unit, text_standard, least, most, text)                                             \
    [id] = {.name = text_name,                                                                                         \
            .type = HD_TYPE_UNSIGNED,                                                                                  \
            .unit = of_unit,                                                                                           \
            .standard = text_standard,                                                                                 \
            .minimum = least,                                                                                          \
            .maximum = most,                                                                                           \
            .doc = text}

static const hd_parameter parameters[PARAMETER_COUNT] = {
    UNSIGNED(PARAMETER_BYTES, "bytes", HD_UNIT_BYTES, "128 KiB", 128, UINT64_C(16777216), "data of the slice"),
    UNSIGNED(PARAMETER_WAYS, "ways", HD_UNITLESS, "8", 1, L2_WAYS_MAX, "associativity"),
    [PARAMETER_REPLACEMENT] = {.name = "replacement",
                               .type = HD_TYPE_CHOICE,
                               .standard = "lru",
                               .doc = "which line of a set goes"},
    UNSIGNED(PARAMETER_LATENCY, "latency", HD_UNIT_CYCLES, "150 cycles", 1, UINT64_C(100000),
             "from the access to the departure of its reply; with the default a hit on gtx480 takes 330 core cycles"),
    UNSIGNED(PARAMETER_PORT_BYTES, "port_bytes", HD_UNIT_BYTES, "64 B", 1, UINT64_C(128),
             "bytes that the data port moves per cycle"),
    UNSIGNED(PARAMETER_ATOMIC_WORDS, "atomic_words", HD_UNITLESS, "1", 1, UINT64_C(32), "atomic operations per cycle"),
    UNSIGNED(PARAMETER_ATOMIC_SECTOR_WORDS, "atomic.sector_words", HD_UNITLESS, "0", 0, 8,
             "words of 32 B that atomics operate on per cycle, one after another if a request has a word twice; 0: "
             "atomic_words, whatever they are"),
    UNSIGNED(PARAMETER_ATOMIC_SAME_WORD, "atomic.same_word", HD_UNIT_CYCLES, "0 cycles", 0, UINT64_C(4096),
             "from an atomic operation until the next one on the same word"),
    UNSIGNED(PARAMETER_ATOMIC_LINE_LOCK, "atomic.line_lock", HD_UNIT_CYCLES, "0 cycles", 0, UINT64_C(4096),
             "from an atomic operation until the next one in the same atomic.lock_bytes"),
    UNSIGNED(PARAMETER_ATOMIC_LOCK_BYTES, "atomic.lock_bytes", HD_UNIT_BYTES, "128 B", 4, HD_LINE_BYTES,
             "unit of atomic.line_lock; a power of two"),
    UNSIGNED(PARAMETER_MSHRS, "mshrs", HD_UNITLESS, "64", 1, UINT64_C(4096), "outstanding line misses"),
    UNSIGNED(PARAMETER_MSHR_TARGETS, "mshr_targets", HD_UNITLESS, "8", 1, UINT64_C(1024),
             "requests that may wait for one line"),
    UNSIGNED(PARAMETER_WRITE_BACKS, "write_backs", HD_UNITLESS, "32", 1, UINT64_C(4096),
             "write-backs in flight, in addition to one per MSHR"),
    UNSIGNED(PARAMETER_REPLY_QUEUE, "reply_queue", HD_UNITLESS, "16", 1, UINT64_C(4096),
             "replies that may wait to be sent, in addition to those in the pipeline"),
    UNSIGNED(PARAMETER_VERSIONS, "versions", HD_UNITLESS, "4096", 1, UINT64_C(16777216),
             "hash buckets with a version for LR and SC; a power of two"),
    UNSIGNED(PARAMETER_SECTOR, "sector", HD_UNIT_BYTES, "128 B", L2_SECTOR_MINIMUM, HD_LINE_BYTES,
             "unit of fills and write-backs within a line of 128 B; a power of two"),
    UNSIGNED(PARAMETER_ATOMIC_LATENCY, "atomic_latency", HD_UNIT_CYCLES, "0 cycles", 0, UINT64_C(100000),
             "additional latency of atomics"),
    [PARAMETER_SET_HASH] = {.name = "set_hash",
                            .type = HD_TYPE_CHOICE,
                            .standard = "linear",
                            .choices = CACHE_SET_HASHES,
                            .doc = "bits of the line's number in the slice that choose the set, as of l1.set_hash"},
    [PARAMETER_FILL_PORT] = {.name = "fill_port",
                             .type = HD_TYPE_CHOICE,
                             .standard = "own",
                             .choices = "own|shared",
                             .doc = "fills and write-backs use a port of their own, or the data port"},
    [PARAMETER_PARTIAL_WRITES] = {.name = "partial_writes",
                                  .type = HD_TYPE_CHOICE,
                                  .standard = "fetch",
                                  .choices = "fetch|mask",
                                  .doc = "a store to a part of a sector that is not here fetches the rest, or is kept "
                                         "under a byte mask until the sector is read or leaves"},
    [PARAMETER_FILL] = {.name = "fill",
                        .type = HD_TYPE_CHOICE,
                        .standard = "neighbours",
                        .choices = "neighbours|sectors",
                        .doc = "missing sectors side by side are read in one access to memory, or each in its own; "
                               "write-backs gather what is side by side"},
    UNSIGNED(PARAMETER_CONTEXT_WAYS, "context_ways", HD_UNITLESS, "0", 0, L2_WAYS_MAX,
             "ways that have no lines, but contexts of thread blocks on their way from core to core; they are of "
             "those of 'ways'"),
    UNSIGNED(PARAMETER_CONTEXT_PORT_BYTES, "context_port_bytes", HD_UNIT_BYTES, "64 B", 1, HD_LINE_BYTES,
             "bytes of contexts that go in or out per cycle"),
};

static const hd_port ports[PORT_COUNT] = {
    [PORT_REQUEST] = {.name = "request",
                      .direction = HD_PORT_RECEIVE,
                      .minimum_count = 1,
                      .maximum_count = L2_REQUEST_PORTS,
                      .latency_cycles = 1,
                      .credits = 16,
                      .doc = "loads, stores and atomics; the elements are served in turn"},
    [PORT_REPLY] = {.name = "reply",
                    .direction = HD_PORT_SEND,
                    .minimum_count = 1,
                    .maximum_count = L2_REPLY_PORTS,
                    .latency_cycles = 1,
                    .credits = 8,
                    .doc = "replies, by requester"},
    [PORT_MEMORY] = {.name = "memory",
                     .direction = HD_PORT_INITIATOR,
                     .minimum_count = 1,
                     .maximum_count = 1,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "fills and write-backs of lines or sectors"},
    [PORT_TAP] = {.name = "tap",
                  .direction = HD_PORT_TAPPED,
                  .minimum_count = 0,
                  .maximum_count = HD_TAP_COUNT_MAX,
                  .doc = "accepted accesses, in order"},
};

#define CLASS_BYTES(base, prefix, what)                                                                                \
    HD_CLASSES(BYTES_OF_CLASS, base, prefix, what)                                                                     \
    [base + HD_CLASS_COUNT] = {prefix ".other", "bytes", HD_STATISTIC_COUNT, 0, what " of other classes"}
#define BYTES_OF_CLASS(class, name, of, base, prefix, what)                                                            \
    [base + class] = {prefix "." name, "bytes", HD_STATISTIC_COUNT, 0, what " of " of},

#define BUFFERS HD_STATISTIC_WHEN(PARAMETER_CONTEXT_WAYS, PARAMETER_CONTEXT_WAYS)
#define PARTIAL_WRITES HD_STATISTIC_WHEN(PARAMETER_PARTIAL_WRITES, PARAMETER_PARTIAL_WRITES)

static const hd_statistic statistics[STATISTIC_COUNT] = {
    [STATISTIC_LOADS] = {"loads", "requests", HD_STATISTIC_COUNT, 0, "loads accepted"},
    [STATISTIC_STORES] = {"stores", "requests", HD_STATISTIC_COUNT, 0, "stores accepted"},
    [STATISTIC_ATOMICS] = {"atomics", "requests", HD_STATISTIC_COUNT, 0, "atomic packets accepted"},
    [STATISTIC_ATOMIC_WORDS] = {"atomic_words", "operations", HD_STATISTIC_COUNT, 0, "operations in them"},
    [STATISTIC_HITS] = {"hits", "requests", HD_STATISTIC_COUNT, 0, "requests whose data was all present"},
    [STATISTIC_MISSES] = {"misses", "requests", HD_STATISTIC_COUNT, 0, "requests that started a fill"},
    [STATISTIC_SECTOR_MISSES] = {"sector_misses", "requests", HD_STATISTIC_COUNT, 0,
                                 "of misses, those whose line was present, but not all sectors needed"},
    [STATISTIC_MSHR_MERGES] = {"mshr_merges", "requests", HD_STATISTIC_COUNT, 0,
                               "requests to a line that was already being filled"},
    [STATISTIC_READ_HITS] = {"read_hits", "requests", HD_STATISTIC_COUNT, 0,
                             "loads and atomics of hits and mshr_merges"},
    [STATISTIC_READ_MISSES] = {"read_misses", "requests", HD_STATISTIC_COUNT, 0, "loads and atomics of misses"},
    [STATISTIC_WRITE_HITS] = {"write_hits", "requests", HD_STATISTIC_COUNT, 0, "stores of hits and mshr_merges"},
    [STATISTIC_WRITE_MISSES] = {"write_misses", "requests", HD_STATISTIC_COUNT, 0, "stores of misses"},
    [STATISTIC_READ_HIT_SECTORS] = {"read_hit_sectors", "sectors", HD_STATISTIC_COUNT, 0,
                                    "sectors of 32 B that read_hits touch, whatever the slice's are"},
    [STATISTIC_READ_MISS_SECTORS] = {"read_miss_sectors", "sectors", HD_STATISTIC_COUNT, 0,
                                     "sectors of 32 B that read_misses touch, whatever the slice's are"},
    [STATISTIC_WRITE_HIT_SECTORS] = {"write_hit_sectors", "sectors", HD_STATISTIC_COUNT, 0,
                                     "sectors of 32 B that write_hits touch, whatever the slice's are"},
    [STATISTIC_WRITE_MISS_SECTORS] = {"write_miss_sectors", "sectors", HD_STATISTIC_COUNT, 0,
                                      "sectors of 32 B that write_misses touch, whatever the slice's are"},
    [STATISTIC_DIRECT] = {"direct", "requests", HD_STATISTIC_COUNT, 0,
                          "requests executed directly in memory, because the machine has a direct block"},
    [STATISTIC_UNCACHED_LOADS] = {"uncached_loads", "requests", HD_STATISTIC_COUNT, 0,
                                  "loads that went to memory past the lines"},
    [STATISTIC_UNCACHED_STORES] = {"uncached_stores", "requests", HD_STATISTIC_COUNT, 0, "stores that did"},
    [STATISTIC_CONTEXT_LOADS] = {"context_loads", "requests", HD_STATISTIC_COUNT, BUFFERS,
                                 "lines of contexts that left the ways that they have"},
    [STATISTIC_CONTEXT_STORES] = {"context_stores", "requests", HD_STATISTIC_COUNT, BUFFERS, "lines that came there"},
    [STATISTIC_CONTEXT_WAITS] = {"context_waits", "requests", HD_STATISTIC_COUNT, BUFFERS,
                                 "of context_loads, those that came before their line"},
    [STATISTIC_TAKEN] = {"taken", "requests", HD_STATISTIC_COUNT, 0,
                         "requests taken by a tap, and therefore not accepted"},
    [STATISTIC_FILLS] = {"fills", "accesses", HD_STATISTIC_COUNT, 0,
                         "reads of memory: lines, neighbouring sectors of one, or with fill 'sectors' a sector"},
    [STATISTIC_WRITE_BACKS] = {"write_backs", "accesses", HD_STATISTIC_COUNT, 0,
                               "writes to memory: dirty lines, or neighbouring dirty sectors of one"},
    [STATISTIC_PARTIAL_SECTORS] = {"partial_sectors", "sectors", HD_STATISTIC_COUNT, PARTIAL_WRITES,
                                   "sectors that were written in part and not fetched for that"},
    [STATISTIC_PARTIAL_FILLS] = {"partial_fills", "sectors", HD_STATISTIC_COUNT, PARTIAL_WRITES,
                                 "of these, those that were fetched later, because they were read"},
    [STATISTIC_PARTIAL_WRITE_BACKS] = {"partial_write_backs", "accesses", HD_STATISTIC_COUNT, PARTIAL_WRITES,
                                       "of write_backs, those with byte enables"},
    [STATISTIC_BYTES_FILLED] = {"bytes_filled", "bytes", HD_STATISTIC_COUNT, 0, "bytes read from memory"},
    [STATISTIC_BYTES_WRITTEN_BACK] = {"bytes_written_back", "bytes", HD_STATISTIC_COUNT, 0, "bytes written to memory"},
    [STATISTIC_STALL_REPLY] = {"stall_cycles.reply", "cycles", HD_STATISTIC_COUNT, 0,
                               "no request accepted: too many replies in progress"},
    [STATISTIC_STALL_MSHRS] = {"stall_cycles.mshrs", "cycles", HD_STATISTIC_COUNT, 0,
                               "no request accepted: all MSHRs in use"},
    [STATISTIC_STALL_TARGETS] = {"stall_cycles.targets", "cycles", HD_STATISTIC_COUNT, 0,
                                 "no request accepted: the MSHR has no free target"},
    [STATISTIC_STALL_MEMORY] = {"stall_cycles.memory", "cycles", HD_STATISTIC_COUNT, 0,
                                "no request accepted: too many write-backs in flight"},
    [STATISTIC_STALL_UNCACHED] = {"stall_cycles.uncached", "cycles", HD_STATISTIC_COUNT, 0,
                                  "no request accepted: as many as there are MSHRs are under way past the lines"},
    [STATISTIC_STALL_ATOMIC_WORD] = {"stall_cycles.atomic_word", "cycles", HD_STATISTIC_COUNT, 0,
                                     "no request accepted: an atomic waits for an earlier one on the same word"},
    [STATISTIC_STALL_ATOMIC_LINE] = {"stall_cycles.atomic_line", "cycles", HD_STATISTIC_COUNT, 0,
                                     "no request accepted: an atomic waits for an earlier one nearby"},
    [STATISTIC_ATOMIC_CYCLES] = {"atomic_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                 "of port_busy_cycles, those of atomics, and of their waits after a fill or for "
                                 "their own operations"},
    [STATISTIC_PORT_BUSY_CYCLES] = {"port_busy_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                    "cycles in which the data port moves data"},
    [STATISTIC_STORE_CONDITIONAL_SUCCESSES] = {"store_conditional.successes", "operations", HD_STATISTIC_COUNT, 0,
                                               "store-conditionals that wrote"},
    [STATISTIC_STORE_CONDITIONAL_FAILURES] = {"store_conditional.failures", "operations", HD_STATISTIC_COUNT, 0,
                                              "store-conditionals that did not"},
    [STATISTIC_LOAD_RESERVED] = {"load_reserved", "operations", HD_STATISTIC_COUNT, 0, "load-reserved operations"},
    [STATISTIC_MSHR_MAXIMUM] = {"mshr_maximum", "lines", HD_STATISTIC_MAXIMUM, 0, "most MSHRs in use"},
    [STATISTIC_TRANSACTION_LOAD_HITS] = {"transaction_loads.hits", "requests", HD_STATISTIC_COUNT, 0,
                                         "of hits, loads of class transaction: with Kilo TM those of validation"},
    [STATISTIC_TRANSACTION_LOAD_MISSES] = {"transaction_loads.misses", "requests", HD_STATISTIC_COUNT, 0,
                                           "of misses, the same"},
    [STATISTIC_TRANSACTION_LOAD_MERGES] = {"transaction_loads.merges", "requests", HD_STATISTIC_COUNT, 0,
                                           "of mshr_merges, the same"},
    CLASS_BYTES(STATISTIC_BYTES_IN, "bytes_in", "request bytes"),
    CLASS_BYTES(STATISTIC_BYTES_OUT, "bytes_out", "reply bytes"),
};

static const hd_message_use messages[] = {
    {HD_GLOBAL_LOAD, HD_MESSAGE_RECEIVED, 0, "request"},    {HD_GLOBAL_STORE, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_GLOBAL_ATOMIC, HD_MESSAGE_RECEIVED, 0, "request"},  {HD_GLOBAL_LOAD_REPLY, HD_MESSAGE_SENT, 0, "reply"},
    {HD_GLOBAL_STORE_ACK, HD_MESSAGE_SENT, 0, "reply"},     {HD_GLOBAL_ATOMIC_REPLY, HD_MESSAGE_SENT, 0, "reply"},
    {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "memory"},         {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "memory"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "memory"}, {HD_UNCACHED_LOAD, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_UNCACHED_STORE, HD_MESSAGE_RECEIVED, 0, "request"}, {HD_BUFFER_LOAD, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_BUFFER_STORE, HD_MESSAGE_RECEIVED, 0, "request"},
};

static const uint64_t *counters(hd_block *block)
{
    return ((struct slice *)block)->statistics;
}

static const hd_trace_event trace_events[EVENT_COUNT] = {
    [EVENT_MISS] = {"miss", HD_TRACE_SPAN, 0, "0xaddress", NULL, "a line is being filled"},
    [EVENT_MISSES] = {"misses", HD_TRACE_COUNTER, 0, NULL, "lines", "lines being filled"},
    [EVENT_REPLIES] = {"replies", HD_TRACE_COUNTER, 0, NULL, "packets",
                       "replies in the pipeline or waiting to be sent"},
};

static const hd_energy_event energy_events[] = {
    HD_ENERGY_ROW("read_hit", "read_hits", L2, "a load or atomic finds its line, or finds it on its way"),
    HD_ENERGY_ROW("read_miss", "read_misses", L2, "a load or atomic does not"),
    HD_ENERGY_ROW("write_hit", "write_hits", L2, "a store finds its line, or finds it on its way"),
    HD_ENERGY_ROW("write_miss", "write_misses", L2, "a store does not"),
    HD_ENERGY_ROW("read_hit_sector", "read_hit_sectors", L2, "each sector of 32 B that a read_hit touches"),
    HD_ENERGY_ROW("read_miss_sector", "read_miss_sectors", L2, "each sector of 32 B that a read_miss touches"),
    HD_ENERGY_ROW("write_hit_sector", "write_hit_sectors", L2, "each sector of 32 B that a write_hit touches"),
    HD_ENERGY_ROW("write_miss_sector", "write_miss_sectors", L2, "each sector of 32 B that a write_miss touches"),
    HD_ENERGY_ROW("atomic_word", "atomic_words", L2, "an atomic operation on a word"),
    HD_ENERGY_ROW("uncached_load", "uncached_loads", L2, "a load passes the lines on its way to memory"),
    HD_ENERGY_ROW("uncached_store", "uncached_stores", L2, "a store does"),
    HD_ENERGY_ROW("direct", "direct", L2, "a request is executed in memory, past the lines"),
};

static const hd_unit *const replacements[] = {REPLACEMENT_UNITS(HD_UNIT_POINTER)};

static const hd_unit_function replacement_needs[] = {REPLACEMENT_FUNCTIONS};

static const hd_unit_slot slots[SLICE_UNITS] = {
    [SLICE_REPLACEMENT] = {.kind = "replacement",
                           .interface = REPLACEMENT_INTERFACE,
                           .parameter = PARAMETER_REPLACEMENT,
                           .unit_count = sizeof replacements / sizeof *replacements,
                           .units = replacements,
                           .function_count = sizeof replacement_needs / sizeof *replacement_needs,
                           .functions = replacement_needs},
};

#define SLICE_CLASS(type_, doc_, create_)                                                                              \
    {                                                                                                                  \
        .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = "l2_slice", .type = type_,      \
        .doc = doc_, .source = "Fung 2015 §2.3.3, §6.2, Table 6.1", .flags = HD_BLOCK_LOOKS_AHEAD,                     \
        .parameter_count = PARAMETER_COUNT, .port_count = PORT_COUNT, .statistic_count = STATISTIC_COUNT,              \
        .message_count = sizeof messages / sizeof messages[0], .parameters = parameters, .ports = ports,               \
        .statistics = statistics, .messages = messages, .check = slice_check, .create = create_,                       \
        .connect = slice_connect, .reset = slice_reset, .advance = slice_advance, .promise = slice_promise,            \
        .trace_events = trace_events, .trace_event_count = EVENT_COUNT, .counters = counters,                          \
        .debug_access = slice_debug_access, .destroy = slice_destroy, .extension = slice_extension,                    \
        .unit_slot_count = SLICE_UNITS, .unit_slots = slots, .energy_events = energy_events,                           \
        .energy_event_count = sizeof energy_events / sizeof *energy_events,                                            \
    }

__attribute__((visibility("default"))) const hd_block_class hd_l2_slice_write_back = SLICE_CLASS(
    "write_back", "one slice of the shared cache, the ordering point of its memory partition", slice_create);

__attribute__((visibility("default"))) const hd_block_class hd_l2_slice_write_through = SLICE_CLASS(
    "write_through", "the same, writing to memory at once what is written to it", slice_create_write_through);
