/* SPDX-License-Identifier: MIT */
/* What multi-path execution says about itself. */
#include "mp.h"

static const hd_parameter parameters[MP_PARAMETERS] = {
    [MP_FIRST] = {.name = "first",
                  .type = HD_TYPE_CHOICE,
                  .standard = "taken",
                  .choices = "not_taken|taken",
                  .doc = "side of a branch that gets room first"},
    [MP_SPLITS] = {.name = "splits",
                   .type = HD_TYPE_UNSIGNED,
                   .standard = "0",
                   .maximum = MAX_LANES,
                   .doc = "of a warp that run side by side, others wait; 1: as on a stack; 0: all"},
    [MP_EARLY] = {.name = "early",
                  .type = HD_TYPE_BOOLEAN,
                  .standard = "false",
                  .doc = "lanes that come to code in which others of their warp stand meet these there"},
    [MP_DELAYED] = {.name = "delayed",
                    .type = HD_TYPE_BOOLEAN,
                    .standard = "false",
                    .doc =
                        "lanes that others may wait for in a loop meet these no sooner than behind what they wait for; "
                        "false: at the post-dominator"},
    [MP_TIMEOUT] = {.name = "timeout",
                    .type = HD_TYPE_UNSIGNED,
                    .unit = HD_UNIT_CYCLES,
                    .standard = "0 cycles",
                    .maximum = 1000000000,
                    .doc = "after which lanes wait no longer for others to meet them; 0: never"},
};

#define COUNT(statistic, called, counted, text)                                                                        \
    [statistic] = {.name = "mp_" called, .unit = counted, .kind = HD_STATISTIC_COUNT, .doc = text}
#define MAXIMUM(statistic, called, counted, text)                                                                      \
    [statistic] = {.name = "mp_" called, .unit = counted, .kind = HD_STATISTIC_MAXIMUM, .doc = text}

static const hd_statistic statistics[MP_STATISTICS] = {
    COUNT(MP_WAITS, "waits", "splits", "for which there was no room"),
    COUNT(MP_EARLY_MEETINGS, "early_meetings", "meetings", "of lanes with others that stood in the same code"),
    COUNT(MP_TIMEOUTS, "timeouts", "times", "that lanes waited for others no longer"),
    MAXIMUM(MP_MAXIMUM_SPLITS, "maximum_splits", "splits", "of one warp"),
    MAXIMUM(MP_MAXIMUM_MEETINGS, "maximum_meetings", "entries", "of one warp in the reconvergence table"),
    COUNT(MP_WARP_CYCLES, "warp_cycles", "cycles", "of warps, from their first branch or meeting on"),
    COUNT(MP_SPLIT_CYCLES, "split_cycles", "cycles",
          "in them, of each split that runs: by warp_cycles the splits of a warp"),
    COUNT(MP_SUSPENDED_CYCLES, "suspended_cycles", "cycles",
          "in them, of each lane that waits to meet others, or for room"),
};

const hd_unit hd_reconvergence_mp = {
    HD_UNIT_HEAD(reconvergence, RECONVERGENCE, mp),
    .doc = "multi-path execution: lanes of a warp that have parted run side by side",
    .source = "ElTantawy 2018 §7",
    .parameter_count = MP_PARAMETERS,
    .parameters = parameters,
    .statistic_count = MP_STATISTICS,
    .statistics = statistics,
};
