/* SPDX-License-Identifier: MIT */
/* Other people's programs on a machine that is their device: what the commands for them have in common. */
#ifndef HD_DEVICE_PROGRAM_H
#define HD_DEVICE_PROGRAM_H

#include "arena.h"
#include "command.h"
#include "machine_file.h"

typedef struct device_program {
    char **words; /* the program and its arguments, NULL at the end */
    char *folder; /* in which it was made; NULL: none */
} device_program;

typedef struct device_kind {
    const char *prefix; /* of variables of the environment */
    /* The program, from the words behind "--". The exit code, other than HD_EXIT_PASS after it has said on stderr what is wrong. */
    int (*make)(char **words, device_program *made);
    void (*unmake)(device_program *made); /* NULL: there is nothing to be done */
} device_kind;

int device_program_run(const hd_command *command, int count, char **words, const device_kind *kind);

/* The path of a library that lies beside libheddle.so, to be freed; NULL: it is not there. */
char *device_library_path(const char *name);

#define DEVICE_PROGRAM_USAGE                                                                                           \
    MACHINE_FILE_USAGE " [--stats FILE [--profile]] [--seed N] [--threads N] [--check-memory] [--check-races] "        \
                       "[--quiet]"
#define DEVICE_PROGRAM_HELP                                                                                            \
    MACHINE_FILE_HELP "  --stats FILE      write the results to FILE\n"                                                \
                      "  --profile         count in FILE by place in the kernels, for 'heddle profile FILE'\n"         \
                      "  --seed N          seed of the blocks' random streams (default 1)\n"                           \
                      "  --threads N       simulate with N threads (default 1); the results are the same\n"            \
                      "  --check-memory    check that kernels stay within buffers and read what was written\n"         \
                      "  --check-races     check that something orders accesses of different work-items\n"             \
                      "  --quiet           no table of kernels\n"
#define DEVICE_PROGRAM_EXIT                                                                                            \
    "Exit code: that of the program; 1 if the machine stopped with an error and the program did not notice; 2 bad "    \
    "usage\nor configuration; 130 interrupted.\n"

#endif
