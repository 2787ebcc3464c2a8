/* SPDX-License-Identifier: MIT */
/*
 * The kernel programs of one machine, by module number: what "heddle.programs/1" hands to the cores.
 */
#ifndef HD_PROGRAM_REGISTRY_H
#define HD_PROGRAM_REGISTRY_H

#include <stddef.h>
#include <stdint.h>

#include "hd_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_program_registry hd_program_registry;

#define HD_NO_MODULE UINT32_MAX

/* NULL: out of memory. */
hd_program_registry *hd_program_registry_create(void);
/* Frees its programs too. NULL is allowed. */
void hd_program_registry_destroy(hd_program_registry *registry);

/* Loads an ELF image, which may be freed afterwards. Returns its module number: 0, 1, 2 ... in the order of the calls;
 * HD_NO_MODULE if it is refused, and error holds one line. */
uint32_t hd_program_registry_load(hd_program_registry *registry, const void *elf, size_t bytes, char *error,
                                  size_t error_bytes);
/* NULL: no such module. */
const struct isa_program *hd_program_registry_find(const hd_program_registry *registry, uint32_t module);

/* To be provided as HD_EXTENSION_PROGRAMS; lives as long as the registry. Programs may be loaded after it is handed out. */
const hd_programs *hd_program_registry_extension(hd_program_registry *registry);

#ifdef __cplusplus
}
#endif

#endif
