/* SPDX-License-Identifier: MIT */
/* What GPU-LocalTM says about itself, and requires of the machine. */
#include "hd_tables.h"
#include "tx/local/local.h"
#include "tx/tx_units.h"

#define LENGTH(table) (sizeof(table) / sizeof *(table))

static const hd_parameter parameters[LOCAL_PARAMETERS] = {
    [LOCAL_DETECTION] = {.name = "detection",
                         .type = HD_TYPE_CHOICE,
                         .standard = "smdcd",
                         .choices = OWNERSHIP_ALGORITHMS,
                         .doc = "conflict table: one owner of each word, or several readers too"},
    [LOCAL_SHARED_RELEASE] =
        {.name = "shared_release",
         .type = HD_TYPE_CHOICE,
         .standard = "warp_map",
         .choices = OWNERSHIP_RELEASES,
         .doc =
             "smdcd: a word that several have read goes with the last warp of them; likewise, or the last lane of them "
             "writes it, if they are of one warp; when no warp of the block is in a transaction; with the last of the "
             "threads, which no hardware knows; or, as published, with the first thread that read it: not "
             "serialisable"},
    [LOCAL_LAYOUT] = {.name = "layout",
                      .type = HD_TYPE_CHOICE,
                      .standard = "per_bank",
                      .choices = LOCAL_LAYOUTS,
                      .doc = "owners of words are in the banks of the words, or behind each other"},
    [LOCAL_EQUAL_MASKS] = {.name = "equal_masks",
                           .type = HD_TYPE_UNSIGNED,
                           .standard = "2",
                           .minimum = 1,
                           .maximum = 64,
                           .doc = "a warp runs lane by lane after so many attempts in a row that leave the same lanes"},
    [LOCAL_SELECT] = {.name = "select",
                      .type = HD_TYPE_CHOICE,
                      .standard = "lowest",
                      .choices = TURN_SELECTIONS,
                      .doc = "lane that runs by itself: the lowest, or the next behind the one before"},
    [LOCAL_IN_WARP] = {.name = "in_warp",
                       .type = HD_TYPE_BOOLEAN,
                       .standard = "true",
                       .doc = "a warp in trouble runs lane by lane (WfS) before it asks to be alone"},
    [LOCAL_IN_BLOCK] = {.name = "in_block",
                        .type = HD_TYPE_BOOLEAN,
                        .standard = "true",
                        .doc = "a warp whose lane fails by itself runs alone in its block (WgS)"},
    [LOCAL_STRICT] = {.name = "strict_parallel",
                      .type = HD_TYPE_BOOLEAN,
                      .standard = "true",
                      .doc = "lanes that lose at a bank are known to the others one step later, and not at once"},
    [LOCAL_COMMIT_CYCLES] = {.name = "commit_cycles",
                             .type = HD_TYPE_UNSIGNED,
                             .unit = HD_UNIT_CYCLES,
                             .standard = "1 cycle",
                             .minimum = 0,
                             .maximum = 512,
                             .doc = "time of tx.commit beyond that of the instruction"},
    [LOCAL_STATE_CYCLES] = {.name = "state_cycles",
                            .type = HD_TYPE_UNSIGNED,
                            .unit = HD_UNIT_CYCLES,
                            .standard = "1 cycle",
                            .minimum = 0,
                            .maximum = 64,
                            .doc = "time of the state bits of a word, at each access of a lane"},
    [LOCAL_BANK_CYCLES] = {.name = "bank_cycles",
                           .type = HD_TYPE_UNSIGNED,
                           .unit = HD_UNIT_CYCLES,
                           .standard = "1 cycle",
                           .minimum = 1,
                           .maximum = 64,
                           .doc = "time of one access of a bank: to data, a backup or an owner"},
    [LOCAL_RESTORE] =
        {.name = "restore",
         .type = HD_TYPE_CHOICE,
         .standard = "owned_words",
         .choices = BANK_RESTORES,
         .doc = "what it costs a bank to find the words of lanes that abort: nothing, a look at all owners; or "
                "neither that nor to restore them costs anything"},
    [LOCAL_CHECKPOINT] =
        {.name = "checkpoint",
         .type = HD_TYPE_CHOICE,
         .standard = "shadow",
         .choices = LOCAL_CHECKPOINTS,
         .doc = "registers at tx.begin are kept in the register file, of which threads have half then; or "
                "elsewhere"},
    [LOCAL_PATIENCE] =
        {.name = "patience",
         .type = HD_TYPE_UNSIGNED,
         .standard = "1000",
         .minimum = 0,
         .maximum = 1000000,
         .doc = "a lane that has given up so often in a row by itself, alone in its block, ends the run; 0: "
                "never"},
    [LOCAL_BACK_OFF] = {.name = "back_off",
                        .type = HD_TYPE_BOOLEAN,
                        .standard = "true",
                        .doc =
                            "warps that have failed back off as tx.back_off says, before they are serialised or not; "
                            "false, as published: they do not"},
};

#define BANK(number)                                                                                                   \
    [LOCAL_BANK_CONFLICTS + (number)] =                                                                                \
        HD_COUNTED("tx_bank_conflicts_" #number, "attempts",                                                           \
                   "aborted by a conflict in scratchpad bank " #number ", or " #number " + 32 where there are 64")

static const hd_statistic statistics[LOCAL_STATISTICS] = {
    [LOCAL_ABORTS_READ_READ] =
        HD_COUNTED("tx_aborts_read_read", "attempts",
                   "aborted: read a scratchpad word that another has read, which dcd does not allow"),
    [LOCAL_ABORTS_READ_AFTER_WRITE] = HD_COUNTED("tx_aborts_read_after_write", "attempts",
                                                 "aborted: read a scratchpad word that another has written"),
    [LOCAL_ABORTS_WRITE_AFTER_READ] =
        HD_COUNTED("tx_aborts_write_after_read", "attempts", "aborted: wrote a scratchpad word that another has read"),
    [LOCAL_ABORTS_WRITE_AFTER_WRITE] = HD_COUNTED("tx_aborts_write_after_write", "attempts",
                                                  "aborted: wrote a scratchpad word that another has written"),
    [LOCAL_ABORTS_GAVE_WAY] =
        HD_COUNTED("tx_aborts_gave_way", "attempts", "aborted: another warp of the block is to be alone (WgS)"),
    [LOCAL_ACCESSES] =
        HD_COUNTED("tx_scratchpad_accesses", "accesses", "lanes' accesses to the scratchpad in transactions on it"),
    [LOCAL_DATA_CYCLES] = HD_COUNTED(
        "tx_data_cycles", "cycles", "cycles of scratchpad banks in transactions, for the data alone: a lane at a time"),
    [LOCAL_DETECTION_CYCLES] =
        HD_COUNTED("tx_detection_cycles", "cycles", "cycles of scratchpad banks to detect conflicts, and for backups"),
    [LOCAL_RESTORE_CYCLES] =
        HD_COUNTED("tx_restore_cycles", "cycles", "cycles of scratchpad banks to restore words of lanes that abort"),
    [LOCAL_BEGIN_CYCLES] =
        HD_COUNTED("tx_begin_cycles", "cycles", "cycles of tx.begin to save registers (tx.checkpoint)"),
    [LOCAL_BLOCK_WAIT_CYCLES] = HD_COUNTED("tx_block_wait_cycles", "cycles",
                                           "cycles in which warps wait to be alone, or for one that is alone (WgS)"),
    [LOCAL_SERIAL_ATTEMPTS] = HD_COUNTED("tx_serial_attempts", "attempts", "lanes' attempts alone in their warp (WfS)"),
    [LOCAL_ALONE_ATTEMPTS] = HD_COUNTED("tx_alone_attempts", "attempts", "lanes' attempts alone in their block (WgS)"),
    [LOCAL_SERIAL_COMMITS] =
        HD_COUNTED("tx_serial_commits", "transactions", "of tx_commits, those alone in their warp (WfS)"),
    [LOCAL_ALONE_COMMITS] =
        HD_COUNTED("tx_alone_commits", "transactions", "of tx_commits, those alone in their block (WgS)"),
    BANK(0),
    BANK(1),
    BANK(2),
    BANK(3),
    BANK(4),
    BANK(5),
    BANK(6),
    BANK(7),
    BANK(8),
    BANK(9),
    BANK(10),
    BANK(11),
    BANK(12),
    BANK(13),
    BANK(14),
    BANK(15),
    BANK(16),
    BANK(17),
    BANK(18),
    BANK(19),
    BANK(20),
    BANK(21),
    BANK(22),
    BANK(23),
    BANK(24),
    BANK(25),
    BANK(26),
    BANK(27),
    BANK(28),
    BANK(29),
    BANK(30),
    BANK(31),
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_MULTIPLE,
     .sentence = "needs a scratchpad of whole rows: as many words in each bank",
     .parameter = "scratchpad.bytes",
     .other = "scratchpad.banks",
     .minimum = 4},
    {.what = HD_REQUIRES_RANGE,
     .sentence = "needs a scratchpad that holds data and their shadow: 3 rows at least",
     .parameter = "scratchpad.bytes",
     .other = "scratchpad.banks",
     .minimum = 12,
     .maximum = UINT64_MAX},
};

const hd_unit hd_tx_local = {
    HD_UNIT_HEAD(tx, TX, local),
    .doc = "GPU-LocalTM: transactions on the scratchpad, whose banks find conflicts at each access",
    .source = "Villegas et al., GPU-LocalTM, §3",
    .abilities = TX_SCRATCHPAD_ABILITY "|" INTRA_WARP_ABILITY,
    .parameter_count = LOCAL_PARAMETERS,
    .parameters = parameters,
    .statistic_count = LOCAL_STATISTICS,
    .statistics = statistics,
    .profiled_count = LOCAL_REASONS,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
    .structure_count = LOCAL_STRUCTURES,
    .structures = local_structures,
};
