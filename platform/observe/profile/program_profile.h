/* SPDX-License-Identifier: MIT */
/*
 * Counts by place in the program, of all blocks of a machine together (hd_profile.h), as the key `profile` of the results.
 */
#ifndef HD_PROGRAM_PROFILE_H
#define HD_PROGRAM_PROFILE_H

#include "engine.h"
#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_program_profile hd_program_profile;

/* Every block that is able to counts from now on, once after reset; all stand at one time. NULL: none is able to. The program
 * is that of the module, and is borrowed. */
hd_program_profile *hd_program_profile_begin(hd_engine *engine, uint32_t module, const isa_program *program);
/* After the engine is gone, or reset. NULL is allowed. */
void hd_program_profile_destroy(hd_program_profile *profile);

/* A place, and the instructions that warps have issued there. */
typedef struct hd_hot_place {
    uint32_t pc;
    uint64_t instructions;
} hd_hot_place;
/* The places with most of them, most first; *all: the instructions of all places. Returns how many places there are. */
uint32_t hd_program_profile_hottest(const hd_program_profile *profile, hd_hot_place *places, uint32_t room,
                                    uint64_t *all);

/* A new reference: {"columns", "rows", "elsewhere"}, see docs/statistics.md. Blocks stand at one time. */
struct json_t;
struct json_t *hd_program_profile_json(const hd_program_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
