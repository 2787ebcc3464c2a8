/* SPDX-License-Identifier: MIT */
/* What BOWS says about itself, and what it costs. */
#include "back_off_units.h"
#include "bows.h"

static const hd_parameter parameters[BOWS_PARAMETERS] = {
    [BOWS_MINIMUM] = {.name = "minimum",
                      .type = HD_TYPE_UNSIGNED,
                      .unit = HD_UNIT_CYCLES,
                      .standard = "1000 cycles",
                      .maximum = BOWS_PENDING_MAX,
                      .doc =
                          "the least delay limit, and that of the beginning: from one iteration of a spinning path to "
                          "its next"},
    [BOWS_RANGE] = {.name = "range",
                    .type = HD_TYPE_UNSIGNED,
                    .unit = HD_UNIT_CYCLES,
                    .standard = "9000 cycles",
                    .maximum = BOWS_PENDING_MAX,
                    .doc = "by how much the limit may rise above the least, up to 16383 cycles; 0 cycles: it is fixed"},
    [BOWS_WINDOW] = {.name = "window",
                     .type = HD_TYPE_UNSIGNED,
                     .unit = HD_UNIT_CYCLES,
                     .standard = "1000 cycles",
                     .minimum = 1,
                     .maximum = 1000000,
                     .doc = "after which the limit is set anew"},
    [BOWS_STEP] = {.name = "step",
                   .type = HD_TYPE_UNSIGNED,
                   .unit = HD_UNIT_CYCLES,
                   .standard = "250 cycles",
                   .maximum = BOWS_PENDING_MAX,
                   .doc = "by which the limit rises; it falls by twice as much"},
    [BOWS_SHARE] = {.name = "share",
                    .type = HD_TYPE_UNSIGNED,
                    .standard = "50",
                    .maximum = 1000,
                    .doc = "it rises if spin branches are more of the instructions of a window, in thousandths"},
    [BOWS_DECLINE] = {.name = "decline",
                      .type = HD_TYPE_UNSIGNED,
                      .standard = "800",
                      .maximum = 1000,
                      .doc = "it falls if instructions per spin branch are less than so much of those of the window "
                             "before, in thousandths"},
    [BOWS_EMPTY_WINDOW] = {.name = "empty_window",
                           .type = HD_TYPE_CHOICE,
                           .standard = "skip",
                           .choices = "skip|infinite",
                           .doc = "instructions per spin branch of a window without spin branches: nothing is compared "
                                  "with them, or they are more than any"},
    [BOWS_PATIENCE] = {.name = "patience",
                       .type = HD_TYPE_UNSIGNED,
                       .unit = HD_UNIT_CYCLES,
                       .standard = "50000 cycles",
                       .maximum = 1000000000,
                       .doc = "a path that has been backed off for so long, and whose delay is over, issues before all "
                              "others; 0 cycles: never"},
};

static const hd_statistic statistics[BOWS_STATISTICS] = {
    [BOWS_BACKED_OFF] = {.name = "backed_off_paths",
                         .unit = "paths",
                         .kind = HD_STATISTIC_COUNT,
                         .doc = "times that a path was backed off"},
    [BOWS_BACKED_OFF_CYCLES] = {.name = "backed_off_cycles",
                                .unit = "cycles",
                                .kind = HD_STATISTIC_COUNT,
                                .doc = "until their next instruction, summed over backed_off_paths that had one"},
    [BOWS_DELAYS] = {.name = "back_off_delays",
                     .unit = "delays",
                     .kind = HD_STATISTIC_COUNT,
                     .doc = "begun, by the first instruction of a path that had been backed off"},
    [BOWS_DELAY_CYCLES] = {.name = "back_off_delay_cycles",
                           .unit = "cycles",
                           .kind = HD_STATISTIC_COUNT,
                           .doc = "length of back_off_delays: the limit at that time"},
    [BOWS_DELAYED] = {.name = "backed_off_delayed",
                      .unit = "paths",
                      .kind = HD_STATISTIC_COUNT,
                      .doc = "backed_off_paths that came before the delay was over, and waited for the rest"},
    [BOWS_LIMIT_MAXIMUM] = {.name = "back_off_maximum_limit",
                            .unit = "cycles",
                            .kind = HD_STATISTIC_MAXIMUM,
                            .doc = "longest delay"},
    [BOWS_BACKED_OFF_MAXIMUM] = {.name = "backed_off_maximum_cycles",
                                 .unit = "cycles",
                                 .kind = HD_STATISTIC_MAXIMUM,
                                 .doc = "longest of backed_off_cycles"},
#define LIMIT_STATISTIC(cycles, more_than)                                                                             \
    [BOWS_LIMIT_##cycles] = {.name = "back_off_limit_" #cycles,                                                        \
                             .unit = "windows",                                                                        \
                             .kind = HD_STATISTIC_COUNT,                                                               \
                             .doc = "during which the limit was up to " #cycles " cycles, more than " #more_than},
    BOWS_LIMIT_BUCKETS(LIMIT_STATISTIC)
#undef LIMIT_STATISTIC
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_ABILITY,
     .sentence = "is told of spinning by a detector: core.spin must not be none",
     .parameter = "spin",
     .word = "spin"},
};

static double pending_bytes(const hd_structure_use *use)
{
    return (double)(use->parameter * BOWS_PENDING_BITS * use->count) / 8;
}

/* The number of a warp among those of its issue port. */
static double queue_bytes(const hd_structure_use *use)
{
    uint32_t bits = 0;
    while ((use->other << bits) < use->parameter)
        bits++;
    return (double)(use->parameter * bits * use->count) / 8;
}

static const hd_structure structures[] = {
    {.name = "counters of pending cycles",
     .source = "ElTantawy 2018, Table 6.2",
     .parameter = "warps",
     .bytes = pending_bytes},
    {.name = "queues of warps that are backed off",
     .source = "ElTantawy 2018, Table 6.2",
     .parameter = "warps",
     .other = "schedulers",
     .bytes = queue_bytes},
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_unit hd_back_off_bows = {
    HD_UNIT_HEAD(back_off, BACK_OFF, bows),
    .doc = "BOWS: a path that is about to repeat a spin loop issues last, and not too soon after it last did so",
    .source = "ElTantawy 2018 §6.2, §6.3.3",
    .parameter_count = BOWS_PARAMETERS,
    .parameters = parameters,
    .statistic_count = BOWS_STATISTICS,
    .statistics = statistics,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
    .structure_count = LENGTH(structures),
    .structures = structures,
};
