/* SPDX-License-Identifier: MIT */
/* Spinning is known from the code: loops around an access that may wait for others. */
#include "marked.h"
#include "spin_loops.h"
#include "spin_units.h"

const spin_unit spin_static = {
    .analysis = &isa_spin_static,
    .create = marked_create,
    .destroy = marked_destroy,
    .reset = marked_reset,
    .launch = marked_launch_static,
    .branched = marked_branched,
    .transfer = marked_transfer,
};

const hd_unit hd_spin_static = {
    HD_UNIT_HEAD(spin, SPIN, static),
    .doc = "from the code: the innermost loops around an atomic swap, compare-and-swap or lr, or an access to a named "
           "lock",
    .source = "Heddle",
    .abilities = "spin",
};
