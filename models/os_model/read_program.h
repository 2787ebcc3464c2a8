/* SPDX-License-Identifier: MIT */
#ifndef OS_MODEL_READ_PROGRAM_H
#define OS_MODEL_READ_PROGRAM_H

#include "loading.h"

/* NULL: error says why, in one line. */
isa_program *os_read_program(const char *path, char *error, size_t error_bytes);
/* How many there are, up to `most`; UINT32_MAX: something is no number, or there are more. */
uint32_t os_read_arguments(const char *text, uint32_t *arguments, uint32_t most);

#endif
