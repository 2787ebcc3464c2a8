/* SPDX-License-Identifier: MIT */
/* What GETM says about itself, and requires of the machine. */
#include "hd_tables.h"
#include "tx/getm/getm.h"
#include "tx/tx_units.h"

static const hd_parameter parameters[GETM_PARAMETERS] = {
    [GETM_GRANULE] = {.name = "granule",
                      .type = HD_TYPE_UNSIGNED,
                      .unit = HD_UNIT_BYTES,
                      .standard = "32 B",
                      .minimum = HD_GETM_GRANULE_MIN,
                      .maximum = HD_LINE_BYTES,
                      .doc = "granule of conflict detection; must equal that of the validation units"},
    [GETM_TIE_BREAK] =
        {.name = "tie_break",
         .type = HD_TYPE_CHOICE,
         .standard = "gwid",
         .choices = "gwid|paper",
         .doc = "timestamps contain the number of the warp, so those of different warps differ; or they may "
                "be equal"},
    [GETM_CLOCK_SEED] = {.name = "clock_seed",
                         .type = HD_TYPE_CHOICE,
                         .standard = "slot",
                         .choices = "slot|core_max|zero",
                         .doc =
                             "initial clock of a new block's warps: that of the previous warp in the slot, the core's "
                             "latest, or 0"},
    [GETM_CLOCK_START] = {.name = "clock_start",
                          .type = HD_TYPE_CHOICE,
                          .standard = "warp",
                          .choices = "warp|core",
                          .doc = "a transaction starts at the clock of its warp, or at the latest clock of its core"},
    [GETM_ESCALATION] =
        {.name = "escalation",
         .type = HD_TYPE_UNSIGNED,
         .unit = HD_UNIT_CYCLES,
         .standard = "1500000 cycles",
         .doc = "a warp whose attempts in a row have run for longer, and of which no lane has committed in "
                "them, waits until it is the only such one in the machine that runs; 0: never"},
};

static const hd_statistic statistics[GETM_STATISTICS] = {
    [GETM_ABORTS_LOAD_WRITTEN] = HD_COUNTED("tx_aborts_load_written", "attempts",
                                            "aborted: a load of a granule that a later transaction has written"),
    [GETM_ABORTS_STORE_WRITTEN] = HD_COUNTED("tx_aborts_store_written", "attempts",
                                             "aborted: a store to a granule that a later transaction has written"),
    [GETM_ABORTS_STORE_READ] = HD_COUNTED("tx_aborts_store_read", "attempts",
                                          "aborted: a store to a granule that a later transaction has read"),
    [GETM_ABORTS_STALL_FULL] = HD_COUNTED("tx_aborts_stall_full", "attempts", "aborted: the stall buffer was full"),
    [GETM_ABORTS_ROLLOVER] = HD_COUNTED("tx_aborts_rollover", "attempts", "aborted: rollover of the clocks"),
    [GETM_ESCALATIONS] = HD_COUNTED("tx_escalations", "attempts",
                                    "warps' attempts that ran one at a time in the machine (tx.getm.escalation)"),
    [GETM_CLOCK_STEPS] = HD_COUNTED("tx_clock_steps", "steps", "sum of all advances of warps' clocks"),
    [GETM_ROLLOVERS] = HD_COUNTED("tx_rollovers", "rollovers", "rollovers of the clocks"),
};

#define SENT(text)                                                                                                     \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_SENT, .port = "request"                                                \
    }
#define RECEIVED(text)                                                                                                 \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_RECEIVED, .port = "reply"                                              \
    }

static const hd_message_use messages[] = {
    SENT(HD_GETM_LOAD),        SENT(HD_GETM_STORE),        SENT(HD_GETM_LOG),
    SENT(HD_GETM_ROLLED_OVER), RECEIVED(HD_GETM_STORE_OK), RECEIVED(HD_GETM_ABORT),
    RECEIVED(HD_GETM_LOG_ACK), RECEIVED(HD_GETM_ROLLOVER), RECEIVED(HD_GETM_ROLLOVER_END),
};

/* Low bits of timestamps that tell warps apart: enough for their numbers and one more; none where times may be equal. */
static uint64_t warp_bits(const hd_value *own, uint64_t warps)
{
    uint64_t bits = 0;
    while (own[GETM_TIE_BREAK].u == TIE_BREAK_WARP && warps >> bits)
        bits++;
    return bits;
}

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_RANGE,
     .sentence = "is defined for warps of at most 32 lanes",
     .parameter = "lanes",
     .maximum = 32},
    {.what = HD_REQUIRES_POWER_OF_TWO, .sentence = "needs a granule that is a power of two", .parameter = ".granule"},
    {.what = HD_REQUIRES_PER_PARTITION,
     .sentence = "needs a validation unit at each memory partition",
     .kind = "validation_unit",
     .type = "getm"},
    {.what = HD_REQUIRES_PER_PARTITION,
     .sentence = "needs a commit unit at each memory partition",
     .kind = "commit_unit",
     .type = "getm"},
    {.what = HD_REQUIRES_EQUAL,
     .sentence = "needs validation units with the same granule",
     .parameter = ".granule",
     .kind = "validation_unit",
     .other = "granule"},
    {.what = HD_REQUIRES_RESULT,
     .sentence =
         "needs as many bits in timestamps as tell the warps of the machine apart, and none if times may be equal",
     .parameter = ".tie_break",
     .kind = "validation_unit",
     .other = "warp_bits",
     .sum = "warps",
     .result = warp_bits},
    {.what = HD_REQUIRES_EVERYWHERE, .sentence = "needs all cores to take part, for a rollover waits for each"},
};

#define CLOCK_BYTES 4 /* of a warp: Ren & Lis 2018, Table V */

static double clock_bytes(const hd_structure_use *cores)
{
    return (double)(cores->parameter * CLOCK_BYTES * cores->count); /* warps */
}

static const hd_structure structures[] = {
    {.name = "clocks of warps",
     .source = "Ren & Lis 2018, Table V",
     .process = "32 nm",
     .reference_bytes = 15 * 192,
     .square_millimetres = 0.015,
     .milliwatts = 10.65,
     .megahertz = 1400,
     .parameter = "warps",
     .bytes = clock_bytes},
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_unit hd_tx_getm = {
    HD_UNIT_HEAD(tx, TX, getm),
    .doc =
        "GETM: accesses are validated one by one at their partitions, by logical timestamps; commits wait for nobody",
    .source = "Ren & Lis 2018 §IV, §V",
    .abilities = TX_GLOBAL_ABILITY,
    .parameter_count = GETM_PARAMETERS,
    .parameters = parameters,
    .statistic_count = GETM_STATISTICS,
    .statistics = statistics,
    .profiled_count = GETM_REASONS,
    .message_count = LENGTH(messages),
    .messages = messages,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
    .structure_count = LENGTH(structures),
    .structures = structures,
};
