/* SPDX-License-Identifier: MIT */
/* The machine that is the device of a program of others: opened as its environment says, and its results at the end. */
#ifndef DEVICE_LIBRARY_MACHINE_H
#define DEVICE_LIBRARY_MACHINE_H

#include "heddle.h"

/* grain: of heddle_settings. *name, to be freed: "Heddle gtx480". What goes wrong is said on stderr. */
heddle_error library_machine_open(const char *prefix, uint64_t grain, heddle_machine **machine, char **name);
/* Leaves the results that the environment asks for. The machine can still be used. */
void library_machine_finish(const char *prefix, heddle_machine *machine);

#endif
