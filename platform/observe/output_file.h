/* SPDX-License-Identifier: MIT */
/*
 * Files that are written. A file comes into being as a whole: written under another name in the same folder, then renamed. A
 * device or a pipe is written to as it is; a pipe whose reader does not come within 5 s is an error. No output takes the place of a file that is read (input_file.h).
 *
 * Functions that fail set errno; output_file_reason says it in words, also where it is no number of the system.
 */
#ifndef HD_OUTPUT_FILE_H
#define HD_OUTPUT_FILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of errno: */
#define OUTPUT_FILE_IS_READ (-1)     /* the file is one that is read */
#define OUTPUT_FILE_IS_NOT_READ (-2) /* a pipe without a reader */

const char *output_file_reason(int error);

/* Can a file be written there? Returns 1, or 0 and errno. Leaves nothing behind. */
uint32_t output_file_check(const char *path);

/* A device or a pipe. */
uint32_t output_file_is_special(const char *path);

/* What a command writes: by which option, and where; path NULL: it does not. */
typedef struct output_name {
    const char *option;
    const char *path;
} output_name;

/* Is none of these a file that is read, nor the file of another one? Only /dev/null takes any number. To be asked when
 * everything has been opened for reading. Returns 1; or 0 and *error, a line for the user, to be freed. */
uint32_t output_names_check(const output_name *names, size_t count, char **error);

typedef struct output_file output_file;

/* Never NULL: what goes wrong shows in output_file_finish. The path is copied. */
output_file *output_file_open(const char *path);
/* The same without a name: to be given up once it was copied. In the folder of `beside`, where there is as much room. */
output_file *output_file_open_unnamed(const char *beside);
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
