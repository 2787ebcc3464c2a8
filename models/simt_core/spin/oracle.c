/* SPDX-License-Identifier: MIT */
/* Spinning is known from what the source says: a bound for what can be learnt. */
#include "marked.h"
#include "spin_loops.h"
#include "spin_units.h"

const spin_unit spin_oracle = {
    .analysis = &isa_spin_marked,
    .create = marked_create,
    .destroy = marked_destroy,
    .reset = marked_reset,
    .launch = marked_launch_oracle,
    .branched = marked_branched,
    .transfer = marked_transfer,
};

const hd_unit hd_spin_oracle = {
    HD_UNIT_HEAD(spin, SPIN, oracle),
    .doc = "from the source: the loops that it marks by SIMT_SPINS",
    .source = "ElTantawy 2018 §6.3.2",
    .abilities = "spin",
};
