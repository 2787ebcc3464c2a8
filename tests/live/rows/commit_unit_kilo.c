/* SPDX-License-Identifier: MIT */
#include "../live.h"

#ifdef NDEBUG /* a lost reader shows in no statistic by itself */
#define LOSES_READERS "commit_unit.hazards differs"
#else
#define LOSES_READERS "fails: I-19"
#endif

/* clang-format off */
LIVE_TABLE(live_commit_unit_kilo, "commit_unit/kilo",
    {"entries", "0 | 64", "kilo", "commit_id_vendor.wait_cycles.room grows"},
    {"buffer.words", "0 | 1", "kilo", "commit_unit.packets.resend grows"},
    {"validate", "read_sets | nothing", "kilo_tm", "refused: tx 'kilo' needs commit units that validate"},
    {"dual_issue", "false | true", "kilo", "time differs"},
    {"aggregate", "false | true", "kilo", "commit_unit.packets.verdict shrinks; commit_unit.packets.committed shrinks"},
    {"coalesce", "0 B | 32 B | 64 B | 128 B", "kilo_warps; core.readers=100", "commit_unit.validations shrinks"},
    {"coalesce", "0 B | 128 B", "kilo_warps", "commit_unit.stores shrinks"},
    {"hazard.rate", "1 | 2", "kilo", "time differs; commit_unit.wait_cycles.log grows"},
    {"history", "lwh5k | bfarray", "kilo", "commit_unit.hazard.reads shrinks"},
    {"history", "perfect | lwh512", "kilo", "commit_unit.history.evictions grows"},
    {"history", "lwh5k | lwh512", "kilo", "commit_unit.history.evictions grows"},
    {"history", "lwh512 | lwh", "kilo_tiny", "commit_unit.history.evictions differs"},
    {"history.entries", "512 | 4", "kilo_tiny", "commit_unit.history.evictions grows"},
    {"history.ways", "4 | 1", "kilo_tiny; commit_unit.history.entries=16", "commit_unit.history.evictions differs"},
    {"history.filter", "1024 | 1", "kilo_tiny", "commit_unit.hazards grows"},
    {"history.subarrays", "1 | 4", "kilo_tiny; commit_unit.history.filter=16", "commit_unit.hazards differs"},
    {"history.signature", "512 | 16", "kilo; commit_unit.history=bfarray", "commit_unit.hazards grows"},
    {"hash_seed", "7 | 8", "kilo_tiny; commit_unit.history.filter=16", "commit_unit.hazards differs"},
    {"tcd", "false | true", "kilo_silent", "scripted_core.silent grows"},
    {"tcd.entries", "2048 | 1", "kilo_silent", "scripted_core.silent shrinks"},
    {"tcd.subarrays", "1 | 4", "kilo_silent; commit_unit.tcd.entries=32; commit_unit.tcd.granularity=4 B", "scripted_core.silent differs"},
    {"tcd.granularity", "4 B | 128 B", "kilo_silent", "scripted_core.silent shrinks"},
    {"tcd.strict", "true | false", "kilo_silent", "commit_unit.tcd.pending shrinks"},
    {"tcd.skew", "0 cycles | 1000 cycles", "kilo_silent", "scripted_core.silent shrinks"},
    {"tcd.writes", "transactions | all", "kilo_silent; core.plain=100", "commit_unit.tcd.writes grows"},
    {"broadcast", "words | nothing", "eapg", "refused: tx 'eapg' needs commit units that tell which words are being committed"},
    {"broadcast", "words | signatures", "eapg", "refused: tx 'eapg' needs commit units that tell which words are being committed"},
    {"broadcast.cost", "0 cycles | 4 cycles", "eapg", "commit_unit.wait_cycles.count grows"},
    {"broadcast.entries", "3072 | 2", "eapg", "commit_unit.broadcast.uncounted grows"},
    {"broadcast.counter_bits", "0 | 1", "eapg", "commit_unit.broadcast.uncounted grows"},
    {"broadcast.release", "verdict | retirement", "eapg", "commit_unit.broadcast.word_cycles grows"},
    {"broadcast.size", "header | exact", "eapg", "commit_unit.bytes.messages grows"},
    {"broadcast.interval", "1 | 8", "eapg", "commit_unit.packets.enter shrinks"},
    {"test.filter", "maximum | overwrite", "kilo_tiny; commit_unit.history.ways=1", LOSES_READERS},
    {"test.retired", "keep | drop", "kilo_tiny", LOSES_READERS},
    {"test.clamp", "yes | no", "kilo_tiny; commit_unit.aggregate=true; core.aggregate=1", "fails: "});
