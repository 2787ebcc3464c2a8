/* SPDX-License-Identifier: MIT */
#include "program_registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "rewrite.h"

typedef struct owned_analysis {
    struct owned_analysis *next;
    isa_analysis analysis;
    char input[];
} owned_analysis;

struct hd_program_registry {
    owned_analysis *owned;
    hd_programs extension;
    isa_program **programs;
    uint32_t count;
    const isa_analysis **required; /* that blocks have asked for, in this order; each once */
    uint32_t required_count;
    const isa_transform **transforms; /* that blocks have asked for, in this order; each once */
    uint32_t transform_count;
};

static const struct isa_program *find(void *context, uint32_t module)
{
    return hd_program_registry_find(context, module);
}

static uint32_t uses_scratchpad_transactions(void *context, uint32_t module)
{
    const isa_program *program = hd_program_registry_find(context, module);
    return program && isa_program_has_transactions(program, ISA_TX_SCRATCHPAD);
}

static int is_required(const hd_program_registry *registry, const isa_analysis *analysis)
{
    for (uint32_t i = 0; i < registry->required_count; i++)
        if (isa_analysis_is(registry->required[i], analysis))
            return 1;
    return 0;
}

/* One that reads a file is its block's, which may go before the programs do: the registry has its own. NULL: out of memory. */
static const isa_analysis *kept(hd_program_registry *registry, const isa_analysis *analysis)
{
    if (analysis->input == NULL)
        return analysis;
    owned_analysis *own = malloc(sizeof *own + strlen(analysis->input) + 1);
    if (own == NULL)
        return NULL;
    strcpy(own->input, analysis->input);
    own->analysis = *analysis;
    own->analysis.input = own->input;
    own->next = registry->owned;
    registry->owned = own;
    return &own->analysis;
}

static uint32_t add_required(hd_program_registry *registry, const isa_analysis *analysis, char *error,
                             size_t error_bytes)
{
    const isa_analysis **required =
        realloc(registry->required, (registry->required_count + 1) * sizeof(isa_analysis *));
    if (required != NULL)
        registry->required = required;
    analysis = required != NULL ? kept(registry, analysis) : NULL;
    if (analysis == NULL) {
        snprintf(error, error_bytes, "out of memory");
        return 1;
    }
    for (uint32_t i = 0; i < registry->required_count; i++) {
        if (strcmp(required[i]->name, analysis->name) == 0) {
            snprintf(error, error_bytes, "there are two analyses '%s'", analysis->name);
            return 1;
        }
    }
    required[registry->required_count++] = analysis;
    for (uint32_t i = 0; i < registry->count; i++)
        if (isa_program_require(registry->programs[i], analysis, error, error_bytes))
            return 1;
    return 0;
}

static uint32_t require(void *context, const char *table, const isa_analysis *analysis, char *error, size_t error_bytes)
{
    hd_program_registry *registry = context;
    const isa_analysis *found = analysis != NULL ? analysis : isa_analysis_named(table);
    if (found == NULL) {
        snprintf(error, error_bytes, "programs have no table '%s'", table);
        return 1;
    }
    return is_required(registry, found) ? 0 : add_required(registry, found, error, error_bytes);
}

static uint32_t transform(void *context, const isa_transform *asked, char *error, size_t error_bytes)
{
    hd_program_registry *registry = context;
    for (uint32_t i = 0; i < registry->transform_count; i++)
        if (registry->transforms[i] == asked)
            return 0;
    const isa_transform **transforms =
        realloc(registry->transforms, (registry->transform_count + 1) * sizeof(isa_transform *));
    if (transforms == NULL) {
        snprintf(error, error_bytes, "out of memory");
        return 1;
    }
    registry->transforms = transforms;
    transforms[registry->transform_count++] = asked;
    for (uint32_t i = 0; i < registry->count; i++)
        if (isa_program_transform(registry->programs[i], asked, error, error_bytes))
            return 1;
    return 0;
}

hd_program_registry *hd_program_registry_create(void)
{
    hd_program_registry *registry = calloc(1, sizeof *registry);
    if (registry == NULL)
        return NULL;
    registry->extension = (hd_programs){.context = registry,
                                        .find = find,
                                        .uses_scratchpad_transactions = uses_scratchpad_transactions,
                                        .require = require,
                                        .transform = transform};
    return registry;
}

void hd_program_registry_destroy(hd_program_registry *registry)
{
    if (registry == NULL)
        return;
    for (uint32_t i = 0; i < registry->count; i++)
        isa_program_free(registry->programs[i]);
    free(registry->programs);
    free(registry->required);
    while (registry->owned != NULL) {
        owned_analysis *first = registry->owned;
        registry->owned = first->next;
        free(first);
    }
    free(registry->transforms);
    free(registry);
}

static int analyse(const hd_program_registry *registry, isa_program *program, char *error, size_t error_bytes)
{
    int failed = registry->transform_count == 0 && isa_program_analyse(program, error, error_bytes);
    for (uint32_t i = 0; !failed && i < registry->required_count; i++)
        failed = isa_program_require(program, registry->required[i], error, error_bytes);
    return failed;
}

isa_program *hd_program_registry_load_to(const hd_program_registry *registry, const void *elf, size_t bytes,
                                         enum isa_step last, char *error, size_t error_bytes)
{
    isa_program *program = isa_program_parse(elf, bytes, error, error_bytes);
    int failed = program == NULL;
    if (!failed && last >= ISA_STEP_ANNOTATE)
        failed = isa_program_annotate(program, error, error_bytes);
    for (uint32_t i = 0; !failed && last >= ISA_STEP_TRANSFORM && i < registry->transform_count; i++)
        failed = isa_program_transform(program, registry->transforms[i], error, error_bytes);
    if (!failed && last >= ISA_STEP_ANALYSE)
        failed = analyse(registry, program, error, error_bytes);
    if (!failed)
        return program;
    isa_program_free(program);
    return NULL;
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
    isa_program *program = hd_program_registry_load_to(registry, elf, bytes, ISA_STEP_ANALYSE, error, error_bytes);
    if (program == NULL)
        return HD_NO_MODULE;
    registry->programs[registry->count] = program;
    return registry->count++;
}

const struct isa_program *hd_program_registry_find(const hd_program_registry *registry, uint32_t module)
{
    return module < registry->count ? registry->programs[module] : NULL;
}

hd_programs_asked hd_program_registry_asked(const hd_program_registry *registry)
{
    return (hd_programs_asked){.transforms = registry->transforms,
                               .transform_count = registry->transform_count,
                               .tables = registry->required,
                               .table_count = registry->required_count};
}

const hd_programs *hd_program_registry_extension(hd_program_registry *registry)
{
    return &registry->extension;
}
