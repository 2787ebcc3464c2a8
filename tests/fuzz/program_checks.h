/* SPDX-License-Identifier: MIT */
#ifndef PROGRAM_CHECKS_H
#define PROGRAM_CHECKS_H

#include "fuzz.h"

/* Loads the ELF file: it is refused with one line, or what is in the program is in order, and every word of its code can
 * be shown. */
void require_sound_program(const void *elf, size_t bytes);

#endif
