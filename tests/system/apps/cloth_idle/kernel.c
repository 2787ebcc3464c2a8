/* SPDX-License-Identifier: MIT */
/* Every fourth constraint is left as it is: a move that is lost as a whole. */
#include "cloth/args.h"
#include "simt.h"

#define cloth_hold(rest, longest, a, b)                                                                                \
    if (simt_global_index() % 4)                                                                                       \
    cloth_hold(rest, longest, a, b)

#include "cloth/kernel.c"
