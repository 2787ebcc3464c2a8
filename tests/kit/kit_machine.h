/* SPDX-License-Identifier: MIT */
/* Machines of several blocks that a test puts together on an engine of its own: the blocks of a protocol, say. */
#ifndef HEDDLE_KIT_MACHINE_H
#define HEDDLE_KIT_MACHINE_H

#include "engine.h"

#define KIT_SETTING_BYTES 48u

/* settings: `room` texts "name=value" as netlists write them, or fewer with "" behind the last; NULL: all defaults. Returns the
 * block's number. */
uint32_t kit_machine_add(hd_engine *engine, const hd_block_class *block_class, const char *name, uint32_t index,
                         uint32_t count, hd_clock clock, const char (*settings)[KIT_SETTING_BYTES], uint32_t room);

/* A link of 4 credits that takes so long each way; its packets are late if hd_engine_perturb says so. */
void kit_machine_join(hd_engine *engine, uint32_t from, uint32_t from_port, uint32_t from_element, uint32_t to,
                      uint32_t to_port, uint32_t to_element, hd_time latency);

/* Runs until `limit`; *end is when. 1: everything has come to its end. 0: wrong holds the fault, or what is still under way. */
uint32_t kit_machine_run(hd_engine *engine, hd_time limit, hd_time *end, char *wrong, uint32_t bytes);

/* The word at the address in that of `count` blocks, asked one by one, which has it; 0: none has. */
uint32_t kit_machine_word(hd_engine *engine, const uint32_t *holders, uint32_t count, uint64_t address);

/* Sum over the instances of all blocks of the kind. */
uint64_t kit_machine_statistic(hd_engine *engine, const char *kind, const char *name);

#endif
