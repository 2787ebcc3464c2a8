/* SPDX-License-Identifier: MIT */
/* Parameters and statistics of the commit unit of Kilo TM: the tables from which its declaration and its counters are made. */
#ifndef COMMIT_UNIT_KILO_PARAMETERS_H
#define COMMIT_UNIT_KILO_PARAMETERS_H

#include "hd_tables.h"

#define TEST_ONLY "for tests: "

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc) */
#define KILO_PARAMETERS(X)                                                                                             \
    X(ENTRIES, "entries", UNSIGNED, UNITLESS, "0", 0, 1048576, NULL,                                                   \
      "entries of the ring, one for each commit ID from the oldest that is not retired; 0: unlimited. If limited, "    \
      "the "                                                                                                           \
      "vendor of commit IDs waits for room in all units (port room)")                                                  \
    X(BUFFER_WORDS, "buffer.words", UNSIGNED, UNITLESS, "0", 0, 65536, NULL,                                           \
      "words of a transaction's read set, and of its write set, that the unit keeps; it has the core send the others " \
      "again; 0: unlimited")                                                                                           \
    X(VALIDATE, "validate", CHOICE, UNITLESS, "read_sets", 0, 0, "read_sets|nothing",                                  \
      "compare what has been read, say what came of it and wait for outcomes; or nothing: whoever sends a log "        \
      "commits, "                                                                                                      \
      "and is told when it is written")                                                                                \
    X(DUAL_ISSUE, "dual_issue", BOOLEAN, UNITLESS, "false", 0, 0, NULL,                                                \
      "a load and a store to the slice per cycle, or one of them, stores first")                                       \
    X(AGGREGATE, "aggregate", BOOLEAN, UNITLESS, "false", 0, 0, NULL,                                                  \
      "WarpTM: one message for all lanes of a warp that commit together; needs cores that resolve conflicts within "   \
      "the warp")                                                                                                      \
    X(COALESCE, "coalesce", UNSIGNED, BYTES, "0 B", 0, 128, NULL,                                                      \
      "WarpTM: a packet per cycle is taken, and words of a warp in the same aligned 32, 64 or 128 B are validated or " \
      "written together; needs cores that resolve conflicts within the warp; 0: a word at a time")                     \
    X(HAZARD_RATE, "hazard.rate", UNSIGNED, UNITLESS, "1", 1, 8, NULL, "steps of hazard detection per cycle")          \
    X(HISTORY, "history", CHOICE, UNITLESS, "lwh5k", 0, 0, HISTORY_CHOICES,                                            \
      "who knows the last writer of a word: a table of 512 entries in 4 ways and a recency filter of 1024 in 4; the "  \
      "same with 64 and 64; with the sizes below; an exact list; or two signatures per transaction")                   \
    X(HISTORY_ENTRIES, "history.entries", UNSIGNED, UNITLESS, "512", 1, 1048576, NULL,                                 \
      "lwh: entries of the table, a multiple of its ways")                                                             \
    X(HISTORY_WAYS, "history.ways", UNSIGNED, UNITLESS, "4", 1, 64, NULL, "lwh: ways of the table")                    \
    X(HISTORY_FILTER, "history.filter", UNSIGNED, UNITLESS, "1024", 1, 1048576, NULL, "lwh: entries of the filter")    \
    X(HISTORY_SUBARRAYS, "history.subarrays", UNSIGNED, UNITLESS, "4", 1, 8, NULL,                                     \
      "lwh: sub-arrays of the filter, each with a hash function")                                                      \
    X(HISTORY_SIGNATURE, "history.signature", UNSIGNED, UNITLESS, "512", 4, 512, NULL,                                 \
      "bfarray: bits of a signature, a multiple of its four parts")                                                    \
    X(HASH_SEED, "hash_seed", UNSIGNED, UNITLESS, "7", 0, 0, NULL, "seed of the hash functions")                       \
    X(TCD, "tcd", BOOLEAN, UNITLESS, "false", 0, 0, NULL,                                                              \
      "temporal conflict detection: replies to loads of transactions say when the data was last written")              \
    X(TCD_ENTRIES, "tcd.entries", UNSIGNED, UNITLESS, "2048", 1, 1048576, NULL, "entries of the table of write times") \
    X(TCD_SUBARRAYS, "tcd.subarrays", UNSIGNED, UNITLESS, "4", 1, 8, NULL,                                             \
      "sub-arrays of that table, each with a hash function")                                                           \
    X(TCD_GRANULARITY, "tcd.granularity", UNSIGNED, BYTES, "128 B", 4, 128, NULL,                                      \
      "what a write time is of; a power of two")                                                                       \
    X(TCD_STRICT, "tcd.strict", BOOLEAN, UNITLESS, "true", 0, 0, NULL,                                                 \
      "replies also say whether a transaction that is being committed may write the data")                             \
    X(TCD_SKEW, "tcd.skew", UNSIGNED, CYCLES, "0 cycles", 0, 100000, NULL,                                             \
      "by how much write times are reported too late, to cover clocks that do not agree")                              \
    X(TCD_WRITES, "tcd.writes", CHOICE, UNITLESS, "transactions", 0, 0, "transactions|all",                            \
      "which writes have a time: those of transactions, or plain stores and atomics too")                              \
    X(BROADCAST, "broadcast", CHOICE, UNITLESS, "nothing", 0, 0, "nothing|words|signatures",                           \
      "whoever listens is told nothing, or which words transactions read or write that are being committed, or 64 "    \
      "bits in which they are, with others")                                                                           \
    X(BROADCAST_ENTRIES, "broadcast.entries", UNSIGNED, UNITLESS, "3072", 1, 1048576, NULL,                            \
      "words that the unit counts transactions of; of others it tells nothing")                                        \
    X(BROADCAST_COUNTER_BITS, "broadcast.counter_bits", UNSIGNED, UNITLESS, "0", 0, 32, NULL,                          \
      "bits of a word's count of readers, and of that of writers; 0: no limit")                                        \
    X(BROADCAST_RELEASE, "broadcast.release", CHOICE, UNITLESS, "verdict", 0, 0, "verdict|retirement",                 \
      "words of a warp are not being committed any more when all its lanes have verdicts, or when all have retired")   \
    X(BROADCAST_SIZE, "broadcast.size", CHOICE, UNITLESS, "header", 0, 0, "header|exact",                              \
      "size of such a message on the network: that of a header, as if it were free, or 4 B more for each word")        \
    X(BROADCAST_INTERVAL, "broadcast.interval", UNSIGNED, UNITLESS, "1", 1, 1024, NULL,                                \
      "every so many changes are told together")                                                                       \
    X(BROADCAST_COST, "broadcast.cost", UNSIGNED, CYCLES, "0 cycles", 0, 64, NULL,                                     \
      "for each word that is counted, or not any more, the unit takes nothing from cores for so long")                 \
    X(TEST_FILTER, "test.filter", CHOICE, UNITLESS, "maximum", 0, 0, "maximum|overwrite",                              \
      TEST_ONLY "the recency filter keeps the latest writer, or the one that was evicted last")                        \
    X(TEST_RETIRED, "test.retired", CHOICE, UNITLESS, "keep", 0, 0, "keep|drop",                                       \
      TEST_ONLY "writers that have retired go into the filter when they are evicted, or are dropped")                  \
    X(TEST_CLAMP, "test.clamp", CHOICE, UNITLESS, "yes", 0, 0, "yes|no",                                               \
      TEST_ONLY "a transaction may not wait for another one of its warp, or may")

#define HISTORY_CHOICES "lwh5k|lwh512|lwh|perfect|bfarray"
enum { HISTORY_LWH5K, HISTORY_LWH512, HISTORY_LWH, HISTORY_PERFECT, HISTORY_BFARRAY };
enum { TCD_WRITES_TRANSACTIONS, TCD_WRITES_ALL };
enum { BROADCAST_NOTHING, BROADCAST_WORDS, BROADCAST_SIGNATURES };
enum { RELEASE_VERDICT, RELEASE_RETIREMENT };
enum { SIZE_HEADER, SIZE_EXACT };
enum { FILTER_MAXIMUM, FILTER_OVERWRITE };
enum { RETIRED_KEEP, RETIRED_DROP };
enum { CLAMP_YES, CLAMP_NO };

enum kilo_parameter { KILO_PARAMETERS(HD_PARAMETER_NUMBER) PARAMETER_COUNT };

/* X(identifier, name, unit, kind, doc) */
#define KILO_STATISTICS(X)                                                                                             \
    X(read_packets, "packets.read_set", "packets", COUNT, "packets of read sets, resent ones included")                \
    X(write_packets, "packets.write_set", "packets", COUNT, "packets of write sets, likewise")                         \
    X(done_skips, "packets.done_skip", "packets", COUNT, "messages that end logs: one per warp and attempt")           \
    X(outcomes, "packets.outcome", "packets", COUNT, "messages with outcomes")                                         \
    X(verdicts, "packets.verdict", "packets", COUNT, "messages with verdicts")                                         \
    X(committeds, "packets.committed", "packets", COUNT, "messages that all has been written")                         \
    X(resends, "packets.resend", "packets", COUNT, "requests to send words again: they did not fit the buffer")        \
    X(enters, "packets.enter", "packets", COUNT, "messages that words are being committed (broadcast)")                \
    X(leaves, "packets.leave", "packets", COUNT, "messages that words are not any more")                               \
    X(signatures, "packets.signature", "packets", COUNT, "messages with 64 bits in which words are (broadcast)")       \
    X(read_bytes, "bytes.read_log", "bytes", COUNT, "bytes of read sets on the network")                               \
    X(write_bytes, "bytes.write_log", "bytes", COUNT, "bytes of write sets on the network")                            \
    X(message_bytes, "bytes.messages", "bytes", COUNT, "bytes of all other messages, from and to cores")               \
    X(transactions, "transactions", "attempts", COUNT, "attempts of lanes with words in this partition")               \
    X(skips, "skips", "attempts", COUNT, "attempts of lanes without")                                                  \
    X(passes, "verdicts.pass", "attempts", COUNT, "of transactions, those that pass here")                             \
    X(fails, "verdicts.fail", "attempts", COUNT, "of transactions, those that fail here")                              \
    X(commits, "outcomes.commit", "attempts", COUNT, "of verdicts.pass, those that commit")                            \
    X(losses, "outcomes.abort", "attempts", COUNT, "of verdicts.pass, those that have failed elsewhere")               \
    X(read_words, "read_words", "words", COUNT, "words of read sets")                                                  \
    X(write_words, "write_words", "words", COUNT, "words of write sets")                                               \
    X(sets, "sets", "sets", COUNT, "read and write sets that are not empty")                                           \
    X(large_sets, "large_sets", "sets", COUNT, "of sets, those of more than 8 words")                                  \
    X(validations, "validations", "requests", COUNT, "loads of validation, of whatever size")                          \
    X(validated_words, "validated_words", "words", COUNT, "words compared, those of revalidations included")           \
    X(changed_words, "changed_words", "words", COUNT, "of these, words that were not what had been read")              \
    X(revalidations, "revalidations", "attempts", COUNT, "attempts that were validated again, after a hazard")         \
    X(revalidated_words, "revalidated_words", "words", COUNT, "of validated_words, those of revalidations")            \
    X(stores, "stores", "requests", COUNT, "stores of commits, of whatever size")                                      \
    X(stored_words, "stored_words", "words", COUNT, "words in them")                                                   \
    X(hazard_reads, "hazard.reads", "steps", COUNT, "words read, of which the last writer was looked up")              \
    X(hazard_writes, "hazard.writes", "steps", COUNT, "words written, whose last writer was noted")                    \
    X(hazards, "hazards", "words", COUNT, "words read whose last writer had possibly not written yet")                 \
    X(clamped, "hazard.clamped", "words", COUNT, "look-ups that named a lane of the same warp, by mistake")            \
    X(history_hits, "history.hits", "accesses", COUNT, "look-ups answered by the table of last writers")               \
    X(evictions, "history.evictions", "entries", COUNT, "last writers evicted from the table into the filter")         \
    X(log_wait_cycles, "wait_cycles.log", "cycles", COUNT, "hazard detection waits for the logs of the oldest")        \
    X(validation_wait_cycles, "wait_cycles.validation", "cycles", COUNT, "verdicts wait for the oldest's validation")  \
    X(writer_wait_cycles, "wait_cycles.writer", "cycles", COUNT, "verdicts wait until an older writer has retired")    \
    X(outcome_wait_cycles, "wait_cycles.outcome", "cycles", COUNT, "commits wait for the outcome of the oldest")       \
    X(slice_wait_cycles, "wait_cycles.slice", "cycles", COUNT, "no load or store sent: no credit to the slice")        \
    X(reply_wait_cycles, "wait_cycles.reply", "cycles", COUNT, "no message sent: no credit to the network")            \
    X(message_cycles, "message_cycles", "cycles", COUNT, "time that messages to cores wait to leave, summed")          \
    X(entry_cycles, "entry_cycles", "cycles", COUNT, "time that entries of the ring are in use, summed")               \
    X(entries_maximum, "entries_maximum", "entries", MAXIMUM, "most entries in use")                                   \
    X(all_cycles, "buffer_cycles.all", "cycles", COUNT,                                                                \
      "time that buffers are in use, summed, if every entry has two")                                                  \
    X(accessed_cycles, "buffer_cycles.accessed", "cycles", COUNT, "if every entry has two that does not skip")         \
    X(used_cycles, "buffer_cycles.used", "cycles", COUNT, "if every set that is not empty has one")                    \
    X(needed_cycles, "buffer_cycles.needed", "cycles", COUNT,                                                          \
      "likewise, until read sets have passed, or the attempt has failed")                                              \
    X(all_maximum, "buffers_maximum.all", "buffers", MAXIMUM, "most buffers at one time, in the first of these ways")  \
    X(accessed_maximum, "buffers_maximum.accessed", "buffers", MAXIMUM, "in the second")                               \
    X(used_maximum, "buffers_maximum.used", "buffers", MAXIMUM, "in the third")                                        \
    X(needed_maximum, "buffers_maximum.needed", "buffers", MAXIMUM, "in the fourth")                                   \
    X(tcd_loads, "tcd.loads", "requests", COUNT, "loads whose replies say when the data was last written")             \
    X(tcd_pending, "tcd.pending", "requests", COUNT, "of these, loads of data that may be about to be written")        \
    X(tcd_writes, "tcd.writes", "requests", COUNT, "writes whose time was noted")                                      \
    X(counted_cycles, "broadcast.word_cycles", "cycles", COUNT, "time that words are being committed, summed")         \
    X(count_cycles, "wait_cycles.count", "cycles", COUNT, "nothing taken from cores: words are counted")               \
    X(counted_maximum, "broadcast.words_maximum", "words", MAXIMUM, "most words that were being committed")            \
    X(uncounted_words, "broadcast.uncounted", "words", COUNT,                                                          \
      "words of logs for which there was no room among those that are counted, or in their counts")

typedef struct kilo_counters {
    KILO_STATISTICS(HD_COUNTER)
} kilo_counters;

#endif
