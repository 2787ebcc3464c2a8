/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. A target is one function, fuzz_one: it takes any bytes, hands them to a loader, and calls
 * fuzz_require for what must hold whatever they are. libFuzzer calls it (HEDDLE_FUZZ), or replay.c with stored inputs.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An input. Its bytes are used up from the front. */
typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t left;
} fuzz_input;

/* The target: tests/fuzz/NAME.c. */
void fuzz_one(fuzz_input input);

/* Ends the process with what was required and where, if it does not hold. */
#define fuzz_require(holds, ...) ((holds) ? (void)0 : fuzz_failed(#holds, __FILE__, __LINE__, __VA_ARGS__))
_Noreturn void fuzz_failed(const char *holds, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- Parts of an input. What they return is freed with free; each is as large as it has to be, so that the address
 * sanitizer sees any step beyond. ------------------------------------------------------------------------------------ */

/* A little-endian number; bytes that are missing are 0. */
uint32_t fuzz_number(fuzz_input *input, uint32_t bytes);
/* Everything up to the next line "%%%", or the rest. */
fuzz_input fuzz_section(fuzz_input *input);
/* The next line without its end, as text that a zero byte ends early; NULL at the end of the input. */
char *fuzz_line(fuzz_input *input);

/* ---- Files ----------------------------------------------------------------------------------------------------------- */

/* Goes to a folder of its own, which is removed when the process ends. Once. */
void fuzz_enter_folder(void);
void fuzz_write(const char *path, const void *bytes, size_t count);

/* An error as the user sees it: lines of text that a terminal shows as they are, and none of them empty. */
void fuzz_require_lines(const char *text);

#endif
