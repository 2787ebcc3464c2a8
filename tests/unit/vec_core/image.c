/* SPDX-License-Identifier: MIT */
#include "image.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loading.h"

#define BASE 0x10000000u

uint32_t image_load(const char *name, uint8_t *memory, uint32_t bytes)
{
    char path[512], error[256] = "";
    snprintf(path, sizeof path, "%s/%s.elf", VECTOR_PROGRAMS, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    uint8_t *elf = malloc(1 << 20);
    const size_t length = fread(elf, 1, 1 << 20, file);
    fclose(file);
    isa_program *program = isa_program_parse(elf, length, error, sizeof error);
    cr_assert_not_null(program, "%s: %s", path, error);
    memset(memory, 0, bytes);
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const isa_segment *segment = &program->segments[i];
        cr_assert_leq(segment->address - BASE + segment->memory_bytes, bytes);
        memcpy(memory + (segment->address - BASE), segment->data, segment->file_bytes);
    }
    const uint32_t entry = program->entry;
    isa_program_free(program);
    free(elf);
    return entry;
}
