/* SPDX-License-Identifier: MIT */
/* An instruction waits for the registers that it reads or writes, where one in flight will write them for some lane of its own: the
 * core sees to that, and nothing else is waited for. */
#include "scoreboard_units.h"

const scoreboard_unit scoreboard_register_dependence = {0};

const hd_unit hd_scoreboard_register_dependence = {
    HD_UNIT_HEAD(scoreboard, SCOREBOARD, register_dependence),
    .doc = "an instruction waits for its registers, of its own lanes: several of a warp are in flight",
    .source = "Fung 2015 §2.3.3; ElTantawy 2018 §7.2.2",
};
