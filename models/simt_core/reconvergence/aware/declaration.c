/* SPDX-License-Identifier: MIT */
/* What AWARE says about itself. */
#include "aware.h"

static const hd_parameter parameters[AWARE_PARAMETERS] = {
    [AWARE_FIRST] = {.name = "first",
                     .type = HD_TYPE_CHOICE,
                     .standard = "not_taken",
                     .choices = "not_taken|taken",
                     .doc = "side of a branch that is queued first"},
    [AWARE_ROTATE] = {.name = "rotate",
                      .type = HD_TYPE_CHOICE,
                      .standard = "back",
                      .choices = "back|all|divergent",
                      .doc = "where lanes that stay together let others run: at jumps back that are taken, at all "
                             "conditional branches, or nowhere, so that a loop may keep out those that it waits for"},
    [AWARE_DELAYED] = {.name = "delayed",
                       .type = HD_TYPE_BOOLEAN,
                       .standard = "true",
                       .doc =
                           "lanes that others may wait for in a loop meet these no sooner than behind what they wait "
                           "for; false: at the post-dominator"},
    [AWARE_TIMEOUT] = {.name = "timeout",
                       .type = HD_TYPE_UNSIGNED,
                       .unit = HD_UNIT_CYCLES,
                       .standard = "10000 cycles",
                       .maximum = 1000000000,
                       .doc = "after which lanes wait no longer for others to meet them; 0: never"},
    [AWARE_SPLITS] = {.name = "splits",
                      .type = HD_TYPE_UNSIGNED,
                      .standard = "0",
                      .maximum = MAX_LANES,
                      .doc = "entries of a warp's splits table; others are in memory; 0: as many as a warp has lanes"},
    [AWARE_MEETINGS] = {.name = "meetings",
                        .type = HD_TYPE_UNSIGNED,
                        .standard = "0",
                        .maximum = MAX_LANES,
                        .doc = "entries of a warp's reconvergence table; as splits"},
};

#define COUNT(statistic, called, counted, text)                                                                        \
    [statistic] = {.name = "aware_" called, .unit = counted, .kind = HD_STATISTIC_COUNT, .doc = text}
#define MAXIMUM(statistic, called, counted, text)                                                                      \
    [statistic] = {.name = "aware_" called, .unit = counted, .kind = HD_STATISTIC_MAXIMUM, .doc = text}

static const hd_statistic statistics[AWARE_STATISTICS] = {
    COUNT(AWARE_ROTATIONS, "rotations", "rotations", "times that lanes that stayed together let others run"),
    COUNT(AWARE_TIMEOUTS, "timeouts", "times", "that lanes waited for others no longer"),
    COUNT(AWARE_BARRIER_BLOCKS, "barrier_blocks", "splits", "that came to a barrier, and let others run"),
    MAXIMUM(AWARE_MAXIMUM_SPLITS, "maximum_splits", "entries", "of one warp in the splits table"),
    MAXIMUM(AWARE_MAXIMUM_MEETINGS, "maximum_meetings", "entries", "of one warp in the reconvergence table"),
    COUNT(AWARE_SPLIT_SPILLS, "split_spills", "entries", "of splits tables that went to memory"),
    COUNT(AWARE_SPLIT_FILLS, "split_fills", "entries", "of splits tables that came back"),
    COUNT(AWARE_MEETING_SPILLS, "meeting_spills", "entries", "of reconvergence tables that went to memory"),
    COUNT(AWARE_MEETING_FILLS, "meeting_fills", "entries", "of reconvergence tables that came back"),
};

const hd_unit hd_reconvergence_aware = {
    HD_UNIT_HEAD(reconvergence, RECONVERGENCE, aware),
    .doc = "adaptive warp reconvergence: lanes of a warp that have parted take turns, so that none waits for ever",
    .source = "ElTantawy 2018 §5",
    .parameter_count = AWARE_PARAMETERS,
    .parameters = parameters,
    .statistic_count = AWARE_STATISTICS,
    .statistics = statistics,
};
