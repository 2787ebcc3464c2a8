/* SPDX-License-Identifier: MIT */
/*
 * The kernel programs of one machine, by module number: what "heddle.programs/2" hands to the cores.
 */
#ifndef HD_PROGRAM_REGISTRY_H
#define HD_PROGRAM_REGISTRY_H

#include <stddef.h>
#include <stdint.h>

#include "hd_extension.h"
#include "loading.h"

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

/* The image as programs of this registry are loaded, no further than this step; the caller's, and no module. NULL: it is refused, and
 * error holds one line. */
isa_program *hd_program_registry_load_to(const hd_program_registry *registry, const void *elf, size_t bytes,
                                         enum isa_step last, char *error, size_t error_bytes);

/* What blocks have asked for, in this order; each once. The registry's. */
typedef struct hd_programs_asked {
    const struct isa_transform *const *transforms;
    uint32_t transform_count;
    const struct isa_analysis *const *tables;
    uint32_t table_count;
} hd_programs_asked;
hd_programs_asked hd_program_registry_asked(const hd_program_registry *registry);

/* To be provided as HD_EXTENSION_PROGRAMS; lives as long as the registry. Programs may be loaded after it is handed out. */
const hd_programs *hd_program_registry_extension(hd_program_registry *registry);

#ifdef __cplusplus
}
#endif

#endif
