/* SPDX-License-Identifier: MIT */
/* Options of clBuildProgram, as words for clang. */
#ifndef KERNELC_OPTIONS_H
#define KERNELC_OPTIONS_H

#include "arena.h"

typedef struct build_options {
    const char **words; /* for clang */
    uint32_t count;
    int is_fast;       /* -cl-opt-disable is not there */
    int is_silent;     /* -w is */
    int makes_library; /* -create-library is */
} build_options;

/* Of clLinkProgram, and of clBuildProgram and clCompileProgram. 0, or -1 and one line in error. text NULL: none. */
int link_options_read(arena *memory, const char *text, build_options *options, char *error, size_t error_bytes);
int build_options_read(arena *memory, const char *text, build_options *options, char *error, size_t error_bytes);

#endif
