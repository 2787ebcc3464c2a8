/* SPDX-License-Identifier: MIT */
/*
 * Puts a kernel file somewhere else, so that several programs are in device memory at a time: every file is linked for the
 * beginning of the global window.
 *
 * A linker that is asked to (--emit-relocs) leaves in the file where addresses stand. The distance is a whole number of pages of
 * 4 KiB, so that the low 12 bits of addresses stay as they are: what changes is upper halves (lui) and words of data, and both by the
 * distance. All else is relative to the pc.
 */
#ifndef ISA_MOVE_H
#define ISA_MOVE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ISA_MOVE_PAGE_BYTES 4096u

/* Adds the distance to all addresses in the file: code, data, symbols, lines, sections .heddle.*. 0 = done. Refused, with one line
 * in error: what is no kernel file; a file without relocations; code that reaches a fixed address relative to its pc; relocations of
 * other types. */
int isa_move(uint8_t *elf, size_t bytes, uint32_t distance, char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
