/* SPDX-License-Identifier: MIT */
/*
 * What kernels have used in another run. A file of 'heddle profile --levels', or several one behind the other:
 *
 *     heddle block levels 1
 *     FINGERPRINT KERNEL CYCLES REFUSED SLOTS FLOATS ATTEMPTS ENDED ABORTED
 *     end
 *
 * The fingerprint is that of the program (isa_program): where a program that is loaded has a kernel of the name and other code, the
 * profile is stale; 0 is that of any program. Kernels of programs that are not loaded are of no interest.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_block_levels.h"
#include "hd_extension.h"
#include "program.h"
#include "usage.h"

#define LINE_BYTES 512u

typedef struct profile_row {
    char *kernel;
    uint64_t fingerprint;
    uint64_t counts[BLOCK_LEVELS_COUNTS];
} profile_row;

typedef struct usage_profile {
    const hd_services *services;
    const hd_programs *programs;
    profile_row *rows;
    uint32_t count, capacity;
} usage_profile;

typedef struct reader {
    usage_profile *profile;
    const char *path;
    const thread_block_policy_parameters *to;
    uint32_t line;
} reader;

static int refuse(const reader *r, const char *what)
{
    if (r->to->error)
        snprintf(r->to->error, r->to->error_bytes, "%s:%" PRIu32 ": %s", r->path, r->line, what);
    return -1;
}

static int is_damaged(const reader *r)
{
    return refuse(r, "it is no profile of block levels: 'heddle profile RUN --levels FILE' writes one");
}

/* ---- Programs that are loaded --------------------------------------------------------------------------------------- */

static const isa_program *program_of(const usage_profile *profile, uint32_t module)
{
    return profile->programs ? profile->programs->find(profile->programs->context, module) : NULL;
}

/* Does some program have a function of this name; and one of those that do, this fingerprint? */
static uint32_t is_loaded(const usage_profile *profile, const char *kernel, uint64_t fingerprint, uint32_t *has_same)
{
    const isa_program *program;
    uint32_t found = 0;
    *has_same = 0;
    for (uint32_t module = 0; (program = program_of(profile, module)); module++)
        for (uint32_t i = 0; i < program->symbol_count; i++)
            if (program->symbols[i].is_function && !strcmp(program->symbols[i].name, kernel)) {
                found = 1;
                *has_same |= !fingerprint || program->fingerprint == fingerprint;
            }
    return found;
}

/* ---- The file ------------------------------------------------------------------------------------------------------- */

static int add_row(const reader *r, const profile_row *row)
{
    usage_profile *profile = r->profile;
    for (uint32_t i = 0; i < profile->count; i++)
        if (profile->rows[i].fingerprint == row->fingerprint && !strcmp(profile->rows[i].kernel, row->kernel))
            return is_damaged(r);
    if (profile->count == profile->capacity) {
        profile->capacity = profile->capacity ? 2 * profile->capacity : 16;
        profile->rows = realloc(profile->rows, profile->capacity * sizeof *profile->rows);
        if (!profile->rows)
            abort();
    }
    profile_row *added = &profile->rows[profile->count++];
    *added = *row;
    added->kernel = strdup(row->kernel);
    if (!added->kernel)
        abort();
    return 0;
}

static int read_counts(char *text, uint64_t *counts)
{
    for (uint32_t i = 0; i < BLOCK_LEVELS_COUNTS; i++) {
        char *end;
        if (*text++ != ' ' || !isdigit((unsigned char)*text))
            return -1;
        errno = 0;
        counts[i] = strtoull(text, &end, 10);
        if (errno || counts[i] > BLOCK_LEVELS_MOST)
            return -1;
        text = end;
    }
    return *text ? -1 : 0;
}

static int read_row(const reader *r, char *text)
{
    profile_row row;
    char *end, *kernel;
    uint32_t has_same;
    errno = 0;
    row.fingerprint = isxdigit((unsigned char)*text) ? strtoull(text, &end, 16) : 0;
    if (!isxdigit((unsigned char)*text) || errno || *end != ' ')
        return is_damaged(r);
    kernel = end + 1;
    end = kernel + strcspn(kernel, " ");
    if (end == kernel || read_counts(end, row.counts) || !row.counts[BLOCK_LEVELS_CYCLES])
        return is_damaged(r);
    *end = '\0';
    row.kernel = kernel;
    if (!is_loaded(r->profile, kernel, row.fingerprint, &has_same) || has_same)
        return add_row(r, &row);
    char what[LINE_BYTES];
    snprintf(what, sizeof what, "the profile is stale: the program with kernel '%.64s' has changed since", kernel);
    return refuse(r, what);
}

static int read_lines(reader *r, FILE *in)
{
    char text[LINE_BYTES];
    uint32_t is_open = 0, sections = 0;
    for (r->line = 1; fgets(text, sizeof text, in); r->line++) {
        text[strcspn(text, "\n")] = '\0';
        const uint32_t is_head = !strcmp(text, BLOCK_LEVELS_HEAD), is_end = !strcmp(text, BLOCK_LEVELS_END);
        if (is_head == is_open && (is_head || !is_open))
            return is_damaged(r);
        if (is_head)
            is_open = 1;
        else if (is_end)
            is_open = 0, sections++;
        else if (read_row(r, text))
            return -1;
    }
    return is_open || !sections ? is_damaged(r) : 0;
}

usage_profile *usage_profile_read(const char *path, const thread_block_policy_parameters *parameters)
{
    const hd_services *s = parameters->share.services;
    usage_profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        return NULL;
    profile->services = s;
    profile->programs = s->extension(s->context, HD_EXTENSION_PROGRAMS);
    reader r = {.profile = profile, .path = path, .to = parameters};
    FILE *in = fopen(path, "r");
    const int failed = in ? read_lines(&r, in) : refuse(&r, strerror(errno));
    if (in)
        fclose(in);
    if (!failed)
        return profile;
    usage_profile_free(profile);
    return NULL;
}

void usage_profile_free(usage_profile *profile)
{
    for (uint32_t i = 0; profile && i < profile->count; i++)
        free(profile->rows[i].kernel);
    if (profile)
        free(profile->rows);
    free(profile);
}

/* ---- What is asked --------------------------------------------------------------------------------------------------- */

static const char *kernel_name(const isa_program *program, uint32_t entry_pc)
{
    for (uint32_t i = 0; program && i < program->symbol_count; i++)
        if (program->symbols[i].is_function && program->symbols[i].address == entry_pc)
            return program->symbols[i].name;
    return "?";
}

static const profile_row *find_row(const usage_profile *profile, const hd_grid *grid)
{
    const isa_program *program = program_of(profile, grid->module);
    const char *kernel = kernel_name(program, grid->entry_pc);
    for (uint32_t i = 0; program && i < profile->count; i++)
        if ((!profile->rows[i].fingerprint || profile->rows[i].fingerprint == program->fingerprint) &&
            !strcmp(profile->rows[i].kernel, kernel))
            return &profile->rows[i];
    return NULL;
}

usage_levels usage_profile_levels(const usage *u, const hd_grid *grid)
{
    const usage_settings *s = &u->settings;
    const profile_row *row = find_row(u->profile, grid);
    usage_levels levels = {{0}};
    if (!row)
        return levels;
    const uint64_t *counts = row->counts;
    levels.of[USAGE_MEMORY] =
        hd_level_of(counts[BLOCK_LEVELS_REFUSED], counts[BLOCK_LEVELS_CYCLES], s->steps[USAGE_MEMORY], s->highest);
    levels.of[USAGE_FLOAT] =
        hd_level_of(counts[BLOCK_LEVELS_FLOATS], counts[BLOCK_LEVELS_SLOTS], s->steps[USAGE_FLOAT], s->highest);
    levels.of[USAGE_DEMAND] =
        hd_level_of(counts[BLOCK_LEVELS_ATTEMPTS], counts[BLOCK_LEVELS_CYCLES], s->steps[USAGE_DEMAND], s->highest);
    levels.of[USAGE_ABORTS] =
        hd_level_of(counts[BLOCK_LEVELS_ABORTED], counts[BLOCK_LEVELS_ENDED], s->steps[USAGE_ABORTS], s->highest);
    return levels;
}

void usage_profile_check(const usage *u, const hd_grid *grid, uint64_t cycle)
{
    const usage_profile *profile = u->profile;
    if (!profile || find_row(profile, grid))
        return;
    profile->services->fault(profile->services->context, hd_clock_edge(profile->services->clock, cycle),
                             "the profile of block levels does not say what kernel '%s' of launch %u uses",
                             kernel_name(program_of(profile, grid->module), grid->entry_pc), grid->launch);
}
