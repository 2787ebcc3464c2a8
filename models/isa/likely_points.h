/* SPDX-License-Identifier: MIT */
/*
 * Likely-convergence points: where most of the lanes that part at a branch meet, before its post-dominator. The post-dominator is
 * where all of them meet, and so lies behind what few do, such as leaving a loop from its middle.
 *
 * A point is the post-dominator of the branch in a part of the code, its region, if edges that few lanes take did not exist:
 * regions are the loops that the branch is in, innermost first, a turn each: the way back to the head ends it. If no lanes that part
 * there meet in the loop, and all go back to its head, by several edges, the head is the point. Of a branch that has
 * only one likely way nothing is said: its lanes come to the point of the branches before it. Source: Fung 2015 §3.4.
 */
#ifndef ISA_LIKELY_POINTS_H
#define ISA_LIKELY_POINTS_H

#include "analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "likely_convergence": of a branch the pc of its likely-convergence point, at the same call depth; of all else 0. Edges that leave
 * the region are those that few take. */
extern const isa_analysis isa_likely_points;

/* The same table, where a profile says which edges few take: those with fewer than one in ISA_LIKELY_SHARE of the lanes at their branch, or, if the
 * edge leaves a loop within the region, of those that leave this loop. The last region is all of the code. */
#define ISA_LIKELY_SHARE 5u
/* By the branch profile in this file, which must stay as it is while the analysis is used. `file` is borrowed. */
isa_analysis isa_likely_points_by(const char *file);

/* ---- Branch profiles (branch_profile.c) ------------------------------------------------------------------------------ */

#define ISA_BRANCH_PROFILE_HEAD "heddle branch profile 2"
#define ISA_BRANCH_PROFILE_END "end"

/* By word of text. */
typedef struct isa_branch_counts {
    uint64_t lanes; /* that came to the branch */
    uint64_t taken; /* those that took it */
} isa_branch_counts;

/*
 * Reads a file of ISA_BRANCH_PROFILE_HEAD and a line "PC LANES TAKEN INSTRUCTION" for each branch, and of ISA_BRANCH_PROFILE_END. counts has an element for each word of text.
 * 0 = done; -1: error holds one line, with file and line: it is not there, is no such file, or names a branch that the program
 * does not have.
 */
int isa_branch_profile_read(const isa_program *program, const char *file, isa_branch_counts *counts, char *error,
                            size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
