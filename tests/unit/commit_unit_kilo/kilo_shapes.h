/* SPDX-License-Identifier: MIT */
/* What random schedules draw of a machine, whoever its cores are: commit units, slices, the vendor. */
#ifndef KILO_SHAPES_H
#define KILO_SHAPES_H

#include "kilo_machine.h"

/* A number from least to most. */
uint32_t kilo_pick(uint64_t *seed, uint32_t least, uint32_t most);
/* One of a list. */
#define KILO_ONE_OF(seed, list) (list)[kilo_pick(seed, 0, (uint32_t)(sizeof(list) / sizeof *(list)) - 1)]
/* The next of a list of settings, with a uint32_t `count` beside it. */
#define KILO_SET(list, ...) snprintf(list[count++], sizeof list[0], __VA_ARGS__)

/* block: bytes that are accessed together; is_tiny: tables of a few entries; unit: one more setting of the units, NULL: none. */
void kilo_draw_partitions(shape *shape, uint64_t *seed, uint32_t is_aggregate, uint32_t block, uint32_t is_tiny,
                          const char *unit);

/* The bits of those counts that are not 0. */
uint32_t kilo_happened(const uint64_t *counts, uint32_t count);

/* Of the environment, if it is there. */
uint64_t kilo_number_of(const char *variable, uint64_t standard);

#endif
