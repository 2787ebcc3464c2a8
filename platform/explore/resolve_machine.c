/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine_names.h"
#include "plugin.h"
#include "program_names.h"
#include "resolve.h"

#define FIRST_SEED 1u /* of the first repetition */

static digest digest_of_request(const resolved_machine *wanted)
{
    sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, wanted->path, strlen(wanted->path) + 1);
    for (uint32_t i = 0; i < wanted->setting_count; i++) {
        const netlist_setting *setting = &wanted->settings[i];
        sha256_add(&hash, setting->path->text, strlen(setting->path->text) + 1);
        sha256_add(&hash, setting->value->text, strlen(setting->value->text) + 1);
        sha256_add(&hash, &setting->value->is_plain, sizeof setting->value->is_plain);
    }
    return sha256_end(&hash);
}

static void add_file(sha256 *hash, const char *path)
{
    digest file = {""};
    digest_of_file(path, &file);
    sha256_add(hash, file.text, sizeof file.text);
}

/* A text that names a file is as good as what the file says: a profile that a unit reads, a program that a block runs. */
static void add_files_of_block(sha256 *hash, const netlist_block *block)
{
    arena memory = {0};
    struct stat about;
    for (uint32_t i = 0; i < block->block_class->parameter_count; i++) {
        if (block->block_class->parameters[i].type != HD_TYPE_TEXT)
            continue;
        const char *path = netlist_program_path(&memory, block->values[i].text);
        if (!stat(path, &about) && S_ISREG(about.st_mode))
            add_file(hash, path);
    }
    arena_free(&memory);
}

digest digest_of_machine_files(const netlist *machine)
{
    sha256 hash;
    sha256_begin(&hash);
    for (uint32_t i = 0; i < machine->plugin_count; i++)
        add_file(&hash, machine->plugins[i].path);
    for (uint32_t i = 0; i < machine->block_count; i++)
        add_files_of_block(&hash, &machine->blocks[i]);
    return sha256_end(&hash);
}

char *resolve_machine_text(const json_t *machine, uint64_t seed)
{
    json_t *copy = json_deep_copy(machine), *perturb = json_object_get(copy, "perturb");
    if (seed && (uint64_t)json_integer_value(json_object_get(perturb, "seed")) == seed)
        json_object_set_new(perturb, "seed", json_string(RESOLVED_SEED));
    char *text = copy ? json_dumps(copy, JSON_SORT_KEYS | JSON_COMPACT) : strdup("");
    json_decref(copy);
    if (!text)
        abort();
    return text;
}

static void keep(resolution *at, resolved_machine *result, const netlist *machine)
{
    json_t *json = netlist_json(machine);
    char *text = resolve_machine_text(json, result->is_perturbed ? FIRST_SEED : 0);
    json_decref(json);
    result->json = arena_copy(&at->memory, text, strlen(text));
    free(text);
    result->digest = digest_of_text(result->json);
    result->files = digest_of_machine_files(machine);
    result->is_self_driven = netlist_self_driven(machine) != NULL;
    result->name = arena_copy(&at->memory, machine->name, strlen(machine->name));
    resolve_statistics(at, machine);
}

/* Each machine with plug-ins of its own: what one brings does not help another. */
static int load(resolution *at, resolved_machine *result)
{
    char *errors;
    hd_plugins *plugins = hd_plugins_create(at->world->built_in, at->world->plugins, at->world->plugin_count);
    static const char *const first[] = {"perturb.seed=1"};
    const netlist_changes changes = {.overrides = first,
                                     .override_count = result->is_perturbed ? 1 : 0,
                                     .settings = result->settings,
                                     .setting_count = result->setting_count};
    netlist *machine = netlist_load_changed(result->path, hd_plugins_registry(plugins), &changes, &errors);
    if (machine)
        keep(at, result, machine);
    else
        fputs(errors, at->log.out);
    free(errors);
    netlist_free(machine);
    hd_plugins_destroy(plugins);
    return machine != NULL;
}

static const char *machine_path(resolution *at, uint32_t point)
{
    const netlist_setting *given = resolve_setting(at, point, "machine");
    if (!given) {
        report_error(&at->log, SWEEP_ERROR_MISSING, (span){at->sweep->file, 1, 1, 1}, "the sweep says no machine");
        report_note(&at->log, "for example set: {machine: gtx480}");
        return NULL;
    }
    if (netlist_is_machine_name(given->value->text))
        return netlist_machine_path(&at->memory, &at->log, given->value->at, given->value->text,
                                    given->value->at.source->name);
    const char *path = resolve_path(at, given->value);
    if (!access(path, R_OK))
        return path;
    report_error(&at->log, ERROR_UNREADABLE, given->value->at, "cannot read '%s': %s", path, strerror(errno));
    return NULL;
}

const resolved_machine *resolve_machine(resolution *at, uint32_t point)
{
    resolved_machine wanted = {.path = machine_path(at, point)};
    if (!wanted.path)
        return NULL;
    wanted.setting_count = resolve_settings(at, point, 0, &wanted.settings);
    wanted.is_perturbed =
        at->sweep->repeat > 1 && !resolve_setting(at, point, "perturb") && !resolve_setting(at, point, "perturb.seed");
    const digest request = digest_of_request(&wanted);
    resolved_machine *result = digest_map_find(&at->machines, &request);
    if (result)
        return result;
    result = arena_alloc(&at->memory, sizeof *result);
    *result = wanted;
    if (!load(at, result))
        return NULL;
    digest_map_add(&at->memory, &at->machines, &request, result);
    return result;
}
