/* SPDX-License-Identifier: MIT */
/* What an app was built from: the files that the compilers read, and the compilers. */
#ifndef HD_APP_INPUTS_H
#define HD_APP_INPUTS_H

#include <stdint.h>
#include <time.h>

#include "hd_fnv.h"

/* The hash (HD_FNV_START of nothing) of what came before and of this text with its terminating zero. */
uint64_t hd_app_hash_text(uint64_t hash, const char *text);
/* Of the contents; a file that is not there has a hash of its own. */
uint64_t hd_app_hash_file(uint64_t hash, const char *path);

/* A path per line, each once: of the .d files and `tools` that build_app.sh has left in the folder. To be freed. */
char *hd_app_inputs_of_build(const char *folder);
/* The same as it was kept in a file; NULL if there is none. */
char *hd_app_inputs_read(const char *path);
/* Kept complete or not at all. Returns 0 if it cannot be written. */
int hd_app_inputs_write(const char *path, const char *inputs);

/* Of all paths and what they hold now. 0: a compiler of that name is somewhere else now. */
uint64_t hd_app_inputs_hash(const char *inputs);
/* Whether one of them was written at that time or later. */
int hd_app_inputs_changed_since(const char *inputs, struct timespec time);

#endif
