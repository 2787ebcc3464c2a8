/* SPDX-License-Identifier: MIT */
/* move_oracle MOVABLE.ELF LINKED.ELF...: is the first file, moved to where each other one was linked for, the same program? */
#include "loading.h"
#include "move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(path);
        exit(2);
    }
    *bytes = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(*bytes);
    if (!data || fread(data, 1, *bytes, file) != *bytes) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return data;
}

static isa_program *load(const char *path, const uint8_t *bytes, size_t size)
{
    char error[256];
    isa_program *program = isa_program_load(bytes, size, error, sizeof error);
    if (!program) {
        fprintf(stderr, "%s: %s\n", path, error);
        exit(1);
    }
    return program;
}

static int differ(const char *path, const char *what, uint32_t address)
{
    fprintf(stderr, "%s: %s differs at 0x%08x\n", path, what, address);
    return 1;
}

static int compare_segments(const char *path, const isa_program *moved, const isa_program *linked)
{
    if (moved->segment_count != linked->segment_count)
        return differ(path, "the number of segments", 0);
    for (uint32_t i = 0; i < moved->segment_count; i++) {
        const isa_segment *a = &moved->segments[i], *b = &linked->segments[i];
        if (a->address != b->address || a->memory_bytes != b->memory_bytes || a->file_bytes != b->file_bytes)
            return differ(path, "a segment", b->address);
        for (uint32_t k = 0; k < a->file_bytes; k++)
            if (a->data[k] != b->data[k])
                return differ(path, "a byte", b->address + k);
    }
    return 0;
}

static int compare_sections(const char *path, const isa_program *moved, const isa_program *linked)
{
    if (moved->section_count != linked->section_count)
        return differ(path, "the number of sections", 0);
    for (uint32_t i = 0; i < linked->section_count; i++) {
        const isa_section *b = &linked->sections[i], *a = isa_program_section(moved, b->name);
        if (!a || a->size != b->size || memcmp(a->bytes, b->bytes, a->size))
            return differ(path, b->name, 0);
    }
    return 0;
}

static int compare_symbols(const char *path, const isa_program *moved, const isa_program *linked)
{
    for (uint32_t i = 0; i < linked->symbol_count; i++) {
        uint32_t address = 0;
        if (!isa_program_symbol(moved, linked->symbols[i].name, &address))
            return differ(path, linked->symbols[i].name, linked->symbols[i].address);
    }
    if (moved->symbol_count != linked->symbol_count || moved->entry != linked->entry)
        return differ(path, "the number of symbols, or the entry", linked->entry);
    for (uint32_t i = 0; i < linked->symbol_count; i++)
        if (moved->symbols[i].address != linked->symbols[i].address)
            return differ(path, linked->symbols[i].name, linked->symbols[i].address);
    return 0;
}

static int compare_lines(const char *path, const isa_program *moved, const isa_program *linked)
{
    if (moved->line_count != linked->line_count)
        return differ(path, "the number of lines", 0);
    for (uint32_t i = 0; i < linked->line_count; i++)
        if (moved->lines[i].address != linked->lines[i].address || moved->lines[i].line != linked->lines[i].line)
            return differ(path, "a line", linked->lines[i].address);
    return 0;
}

static int compare(const char *movable, const char *path)
{
    char error[256];
    size_t bytes, linked_bytes;
    uint8_t *file = read_file(movable, &bytes), *other = read_file(path, &linked_bytes);
    isa_program *linked = load(path, other, linked_bytes), *as_it_is = load(movable, file, bytes);
    if (isa_move(file, bytes, linked->segments[0].address - as_it_is->segments[0].address, error, sizeof error)) {
        fprintf(stderr, "%s: %s\n", movable, error);
        return 1;
    }
    isa_program *moved = load(movable, file, bytes);
    const int differs = compare_segments(path, moved, linked) || compare_sections(path, moved, linked) ||
                        compare_symbols(path, moved, linked) || compare_lines(path, moved, linked);
    isa_program_free(moved);
    isa_program_free(as_it_is);
    isa_program_free(linked);
    free(file);
    free(other);
    return differs;
}

int main(int count, char **words)
{
    for (int i = 2; i < count; i++)
        if (compare(words[1], words[i]))
            return 1;
    return count < 3;
}
