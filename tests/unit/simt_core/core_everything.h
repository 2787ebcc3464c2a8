/* SPDX-License-Identifier: MIT */
/* One program with something of everything, for what has to hold whatever a program does. */
#ifndef TEST_CORE_EVERYTHING_H
#define TEST_CORE_EVERYTHING_H

#include "core_rig.h"

/* A core with these parameters and the program. */
core_rig *everything_create(const char *const *parameters);
/* Launches three blocks of 96 threads. */
void everything_launch(core_rig *rig);

#endif
