/* SPDX-License-Identifier: MIT */
#include "program.h"

#include "analysis.h"
#include "loading.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int isa_fail(char *error, size_t error_bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, error_bytes, format, arguments);
    va_end(arguments);
    return -1;
}

const char *isa_step_name(uint32_t step)
{
    static const char *const names[ISA_STEP_COUNT] = {"parse", "annotate", "transform", "analyse"};
    return step < ISA_STEP_COUNT ? names[step] : "?";
}

isa_program *isa_program_load(const void *elf, size_t bytes, char *error, size_t error_bytes)
{
    isa_program *program = isa_program_parse(elf, bytes, error, error_bytes);
    if (program &&
        (isa_program_annotate(program, error, error_bytes) || isa_program_analyse(program, error, error_bytes) ||
         isa_program_require(program, &isa_reconvergence, error, error_bytes))) {
        isa_program_free(program);
        return NULL;
    }
    return program;
}

const isa_instruction *isa_program_odd(const isa_program *program, uint32_t pc)
{
    for (uint32_t i = 0; i < program->odd_count; i++)
        if (program->odd_pcs[i] == pc)
            return &program->instructions[program->text_bytes / 4 + i];
    return NULL;
}

uint32_t isa_program_origin(const isa_program *program, uint32_t pc)
{
    uint32_t low = 0, high = program->origin_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (program->origins[middle].address <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? program->origins[low - 1].pc : pc & ~UINT32_C(3);
}

void isa_program_free(isa_program *program)
{
    if (!program)
        return;
    isa_program_forget_analysis(program);
    free(program->tables);
    free(program->instructions);
    free(program->segments);
    free(program->symbols);
    free(program->sections);
    free(program->odd_pcs);
    free(program->origins);
    for (uint32_t i = 0; i < program->added_count; i++)
        free(program->added[i]);
    free(program->added);
    free(program->lines);
    for (uint32_t i = 0; i < program->source_file_count; i++)
        free(program->source_files[i]);
    free(program->source_files);
    free(program->file);
    free(program);
}
