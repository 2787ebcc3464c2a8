/* SPDX-License-Identifier: MIT */
/* Another program, run to its end for what it prints. */
#ifndef EXPLORE_OTHER_PROGRAM_H
#define EXPLORE_OTHER_PROGRAM_H

/* words: the name, searched for in PATH, and its arguments; NULL at the end. Returns its exit code, or 128 + signal; -1 and
 * errno if it cannot be started. *output is all that it printed, on both of its outputs, to be freed. */
int program_run(const char *const *words, char **output);

#endif
