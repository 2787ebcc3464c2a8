/* SPDX-License-Identifier: MIT */
/* What a core counts of spinning, whatever detector it has. */
#ifndef SIMT_CORE_SPINNING_STATISTICS_H
#define SIMT_CORE_SPINNING_STATISTICS_H

/*
 * A branch is counted once for each stay of warps in the core, from its first warp to its last. Marked: its source says that it spins
 * (isa/spin_loops.h). The phase of one that is found is the part of its stay, from when it is first reached to when it is last, after
 * which it is. ElTantawy 2018, Table 6.1: TSDR = spin_marked_found / spin_marked, FSDR = spin_unmarked_found / spin_unmarked, DPR =
 * phase / found.
 */
#define SPINNING_WITH .when = HD_STATISTIC_WHEN(PARAMETER_SPIN, PARAMETER_SPIN)
#define SPINNING_STATISTICS(X)                                                                                         \
    X(spin_branches, "instructions", COUNT, "backward branches taken that are known to sustain spinning",              \
      SPINNING_WITH)                                                                                                   \
    X(spin_instructions, "instructions", COUNT,                                                                        \
      "instructions of iterations that such a branch repeated, from one time that it was taken to the next",           \
      SPINNING_WITH)                                                                                                   \
    X(spin_marked, "branches", COUNT, "backward branches that were reached, of loops that wait, says their source",    \
      SPINNING_WITH)                                                                                                   \
    X(spin_marked_found, "branches", COUNT, "those of spin_marked that were found to spin", SPINNING_WITH)             \
    X(spin_marked_phase, "ppm", COUNT, "phase at which spin_marked_found were found, summed", SPINNING_WITH)           \
    X(spin_unmarked, "branches", COUNT, "all other backward branches that were reached", SPINNING_WITH)                \
    X(spin_unmarked_found, "branches", COUNT, "those of spin_unmarked that were found to spin", SPINNING_WITH)         \
    X(spin_unmarked_phase, "ppm", COUNT, "phase at which spin_unmarked_found were found, summed", SPINNING_WITH)       \
    X(spin_marked_repeated, "branches", COUNT, "those of spin_marked that a path took five times in a row",            \
      SPINNING_WITH)                                                                                                   \
    X(wait_failures, "lanes", COUNT, "that took a marked branch, summed over the times: they wait on", SPINNING_WITH)  \
    X(wait_successes, "lanes", COUNT, "that did not take a marked branch, summed over the times", SPINNING_WITH)       \
    X(locks_taken, "locks", COUNT, "taken by accesses that the source names", SPINNING_WITH)                           \
    X(lock_failures_inter_warp, "locks", COUNT, "not taken, while no thread of the own warp had it", SPINNING_WITH)    \
    X(lock_failures_intra_warp, "locks", COUNT, "not taken, while a thread of the own warp had it", SPINNING_WITH)

enum spinning_statistic {
#define SPINNING_STATISTIC(name, ...) SPINNING_##name,
    SPINNING_STATISTICS(SPINNING_STATISTIC)
#undef SPINNING_STATISTIC
};

#endif
