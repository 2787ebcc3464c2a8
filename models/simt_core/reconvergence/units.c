/* SPDX-License-Identifier: MIT */
#include "reconvergence.h"

const reconvergence_unit *const reconvergence_units[] = {&reconvergence_stack, &reconvergence_mimd};
