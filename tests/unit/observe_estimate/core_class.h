/* SPDX-License-Identifier: MIT */
/* The timed core with its units, and where its parameters stand. */
#ifndef CORE_CLASS_H
#define CORE_CLASS_H

#include "hd_block.h"

#define CORE_VALUES_MAX 320u

extern const hd_block_class *core_class; /* between the two */
void core_class_compose(void);
void core_class_release(void);

/* The test fails if there is none. */
uint32_t core_parameter_index(const char *name);
/* Number of a choice of the parameter. */
uint64_t core_choice(const char *name, const char *choice);

#endif
