/* SPDX-License-Identifier: MIT */
/* Other programs. They are searched for in PATH; no shell is involved, and they find signals as this program found them. */
#ifndef EXPLORE_OTHER_PROGRAM_H
#define EXPLORE_OTHER_PROGRAM_H

#include <sys/types.h>

/* words: the name and its arguments, NULL at the end. streams: descriptors of its standard input, output and error; -1:
 * /dev/null. Returns 1, or 0 and errno. */
int program_start(const char *const *words, const int streams[3], pid_t *child);
/* One that does not live longer than this process, in another working directory unless `folder` is NULL; it has this process' streams, but
 * for its standard output. With `leads` it leads a process group, and does not read from a terminal, which would stop it there. Likewise. */
int program_start_below(const char *const *words, const char *folder, int output, int leads, pid_t *child);
/* Its exit code, or 128 + signal; -1 and errno. */
int program_wait(pid_t child);

/* Both. -1 and errno if it cannot be started. *output is all that it printed, on both of its outputs, to be freed. */
int program_run(const char *const *words, char **output);

#endif
