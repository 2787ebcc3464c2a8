/* SPDX-License-Identifier: MIT */
/* Second step of loading: what the file's sections say of its instructions. */
#include "loading.h"

#define ARGUMENTS ".heddle.arguments"

int isa_program_annotate(isa_program *program, char *error, size_t error_bytes)
{
    const isa_section *arguments = isa_program_section(program, ARGUMENTS);
    program->argument_records = arguments ? arguments->bytes : NULL;
    program->argument_record_bytes = arguments ? arguments->size : 0;
    return isa_check_convergent(program, error, error_bytes) || isa_mark_accesses(program, error, error_bytes) ||
                   isa_check_synchronization(program, error, error_bytes)
               ? -1
               : 0;
}
