/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_program.h"

#define PROGRAM_BYTES_MAX (64u << 20)

static uint8_t *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t capacity = 0;
    *length = 0;
    if (!file)
        return NULL;
    do {
        capacity = capacity ? 2 * capacity : 1 << 16;
        uint8_t *grown = realloc(bytes, capacity);
        if (!grown)
            break;
        bytes = grown;
        *length += fread(bytes + *length, 1, capacity - *length, file);
    } while (*length == capacity && capacity < PROGRAM_BYTES_MAX);
    fclose(file);
    return bytes;
}

isa_program *os_read_program(const char *path, char *error, size_t error_bytes)
{
    size_t length;
    char refusal[256];
    uint8_t *bytes = read_file(path, &length);
    isa_program *program = NULL;
    if (bytes)
        program = isa_program_parse(bytes, length, refusal, sizeof refusal);
    if (!bytes)
        snprintf(error, error_bytes, "program: %s cannot be read", path);
    else if (!program)
        snprintf(error, error_bytes, "program: %s: %s", path, refusal);
    free(bytes);
    return program;
}

/* Numbers parted by blanks, decimal, octal or hexadecimal. */
uint32_t os_read_arguments(const char *text, uint32_t *arguments, uint32_t most)
{
    uint32_t count = 0;
    for (;;) {
        while (*text == ' ')
            text++;
        if (!*text)
            return count;
        char *end;
        const long long value = strtoll(text, &end, 0);
        if (end == text || (*end && *end != ' ') || count == most || value < INT32_MIN || value > UINT32_MAX)
            return UINT32_MAX;
        arguments[count++] = (uint32_t)value;
        text = end;
    }
}
