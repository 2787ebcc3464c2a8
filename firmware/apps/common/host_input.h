/* SPDX-License-Identifier: MIT */
/*
 * Numbers from a published input's file, one after the other: 32-bit little-endian integers, or decimals with white space
 * between them. What is wrong with the file ends the app with an error that has its path and which number it is.
 */
#ifndef HOST_INPUT_H
#define HOST_INPUT_H

#include "heddle_rt.h"

#ifndef __riscv /* firmware has no files */
#include <stdio.h>
#include <stdlib.h>

typedef enum host_input_format { HOST_INPUT_INTEGERS, HOST_INPUT_DECIMALS } host_input_format;

typedef struct host_input {
    const char *path;
    FILE *file;
    uint64_t numbers; /* read so far */
    host_input_format format;
    char text[24]; /* the last number, as the file has it */
} host_input;

static inline host_input host_input_open(const char *path, host_input_format format)
{
    host_input f = {.path = path, .file = fopen(path, "rb"), .format = format};
    hd_check(f.file, "%s cannot be read", path);
    return f;
}

static inline void host_input_close(host_input *f)
{
    fclose(f->file);
}

static inline int host_input_next_integer(host_input *f, uint64_t *number)
{
    uint8_t bytes[4] = {0};
    size_t length = fread(bytes, 1, sizeof bytes, f->file);
    hd_check(length == 0 || length == sizeof bytes, "%s ends within an integer, after %llu of them", f->path,
             (unsigned long long)f->numbers);
    *number = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return length != 0;
}

static inline int host_input_next_decimal(host_input *f, uint64_t *number)
{
    char *end;
    if (fscanf(f->file, "%23s", f->text) != 1)
        return 0;
    *number = strtoull(f->text, &end, 10);
    if (*f->text < '0' || *f->text > '9' || *end)
        *number = UINT64_MAX;
    return 1;
}

/* 0 at the end of the file. What is not a number is UINT64_MAX. */
static inline int host_input_next(host_input *f, uint64_t *number)
{
    int is_read =
        f->format == HOST_INPUT_INTEGERS ? host_input_next_integer(f, number) : host_input_next_decimal(f, number);
    f->numbers += is_read != 0;
    return is_read;
}

/* The last number must be one of these. */
static inline uint32_t host_input_check(host_input *f, uint64_t number, const char *what, uint32_t least, uint32_t most)
{
    if (number < least || number > most) {
        if (f->format == HOST_INPUT_INTEGERS)
            snprintf(f->text, sizeof f->text, "%llu", (unsigned long long)number);
        hd_fail("%s: number %llu, %s, is '%s'; it must be %u to %u", f->path, (unsigned long long)f->numbers, what,
                f->text, least, most);
    }
    return (uint32_t)number;
}

static inline uint32_t host_input_number(host_input *f, const char *what, uint32_t least, uint32_t most)
{
    uint64_t number;
    hd_check(host_input_next(f, &number), "%s ends after %llu numbers, where %s should be", f->path,
             (unsigned long long)f->numbers, what);
    return host_input_check(f, number, what, least, most);
}

#endif

#endif
