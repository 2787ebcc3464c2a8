/* SPDX-License-Identifier: MIT */
/*
 * A file that comes into being as a whole: written under another name in the same folder, then renamed. A device or a pipe
 * is written to as it is.
 */
#ifndef HD_OUTPUT_FILE_H
#define HD_OUTPUT_FILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct output_file output_file;

/* Can a file be written there? Returns 1, or 0 and errno. Leaves nothing behind. */
uint32_t output_file_check(const char *path);

/* A device or a pipe. */
uint32_t output_file_is_special(const char *path);

/* Never NULL: what goes wrong shows in output_file_finish. The path is copied. */
output_file *output_file_open(const char *path);
void output_file_put(output_file *file, const void *data, size_t bytes);
/* Bytes put so far. */
uint64_t output_file_bytes(const output_file *file);
/* 0, or the errno of what has gone wrong: what is put from then on goes nowhere. */
int output_file_error(const output_file *file);
/* The file is there under its name, and all of it on the disk; or not at all. Returns 1, or 0 and errno. Frees. */
uint32_t output_file_finish(output_file *file);
/* Leaves nothing behind, and frees. NULL is allowed. */
void output_file_abandon(output_file *file);
/* Puts everything that one file holds, which is no device, into another. */
void output_file_copy(output_file *from, output_file *to);

#ifdef __cplusplus
}
#endif

#endif
