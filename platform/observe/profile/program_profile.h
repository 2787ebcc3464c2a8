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

/* The program of a module. */
typedef struct hd_profiled_program {
    const isa_program *program; /* borrowed */
    const char *app;            /* to tell it from others; NULL: there are none. Borrowed */
    uint32_t module;
    uint32_t reserved;
} hd_profiled_program;

/* Every block that is able to counts from now on, once after reset; all stand at one time. NULL: none is able to. */
hd_program_profile *hd_program_profile_begin(hd_engine *engine, const hd_profiled_program *programs, uint32_t count);
/* After the engine is gone, or reset. NULL is allowed. */
void hd_program_profile_destroy(hd_program_profile *profile);

/* A place, and the instructions that warps have issued there. */
typedef struct hd_hot_place {
    uint32_t pc;
    uint64_t instructions;
    const isa_program *program;
} hd_hot_place;
/* The places with most of them, most first; *all: the instructions of all places. Returns how many places there are. */
uint32_t hd_program_profile_hottest(const hd_program_profile *profile, hd_hot_place *places, uint32_t room,
                                    uint64_t *all);

/* A new reference: what all columns count in this program, by their names; NULL: it is not counted. Blocks stand at one time. */
struct json_t *hd_program_profile_sums(const hd_program_profile *profile, uint32_t module);

/* A new reference: {"columns", "rows", "elsewhere"}, see docs/statistics.md. Blocks stand at one time. */
struct json_t;
struct json_t *hd_program_profile_json(const hd_program_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
