/* SPDX-License-Identifier: MIT */
/* Kernel files: an input is an ELF file. */
#include "program_checks.h"

void fuzz_one(fuzz_input input)
{
    require_sound_program(input.bytes, input.left);
}
