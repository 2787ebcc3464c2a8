/* SPDX-License-Identifier: MIT */
#include "program_registry.h"

#include <stdio.h>
#include <stdlib.h>

#include "program.h"

struct hd_program_registry {
    hd_programs extension;
    isa_program **programs;
    uint32_t count;
};

static const struct isa_program *find(void *context, uint32_t module)
{
    return hd_program_registry_find(context, module);
}

hd_program_registry *hd_program_registry_create(void)
{
    hd_program_registry *registry = calloc(1, sizeof *registry);
    if (registry == NULL)
        return NULL;
    registry->extension = (hd_programs){.context = registry, .find = find};
    return registry;
}

void hd_program_registry_destroy(hd_program_registry *registry)
{
    if (registry == NULL)
        return;
    for (uint32_t i = 0; i < registry->count; i++)
        isa_program_free(registry->programs[i]);
    free(registry->programs);
    free(registry);
}

uint32_t hd_program_registry_load(hd_program_registry *registry, const void *elf, size_t bytes, char *error,
                                  size_t error_bytes)
{
    isa_program **programs = realloc(registry->programs, (registry->count + 1) * sizeof(isa_program *));
    if (programs == NULL) {
        snprintf(error, error_bytes, "out of memory");
        return HD_NO_MODULE;
    }
    registry->programs = programs;
    isa_program *program = isa_program_load(elf, bytes, error, error_bytes);
    if (program == NULL)
        return HD_NO_MODULE;
    registry->programs[registry->count] = program;
    return registry->count++;
}

const struct isa_program *hd_program_registry_find(const hd_program_registry *registry, uint32_t module)
{
    return module < registry->count ? registry->programs[module] : NULL;
}

const hd_programs *hd_program_registry_extension(hd_program_registry *registry)
{
    return &registry->extension;
}
