/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "compose.h"
#include "declaration.h"
#include "diagnostics.h"
#include "netlist_errors.h"
#include "plugin_internal.h"

/* Findings of one class, as lines. */
typedef struct findings {
    FILE *out;
    uint32_t count;
} findings;

static void note(void *context, const char *sentence)
{
    findings *found = context;
    fprintf(found->out, "\n%s", sentence);
    found->count++;
}

uint32_t entry_check_version(const char *path, uint32_t abi_version, uint32_t struct_bytes, size_t needed, refusal *why)
{
    if (abi_version != HD_ABI_VERSION)
        return refuse(why, ERROR_PLUGIN_VERSION,
                      "plug-in '%s' is built for version %u of the block ABI; this program has version %u", path,
                      abi_version, HD_ABI_VERSION);
    if (struct_bytes < needed)
        return refuse(why, ERROR_PLUGIN_VERSION, "plug-in '%s': its entry has %u bytes; it must have at least %zu",
                      path, struct_bytes, needed);
    return 1;
}

uint32_t entry_check_texts(const char *path, const char *name, const char *version, const char *licence, refusal *why)
{
    if (!name || !*name || !version || !*version || !licence || !*licence)
        return refuse(why, ERROR_PLUGIN_ENTRY, "plug-in '%s' does not state its name, version or licence", path);
    return 1;
}

uint32_t entry_check_class(const char *path, uint32_t index, const hd_block_class *block_class, uint32_t foreign,
                           refusal *why)
{
    char *lines = NULL;
    size_t bytes = 0;
    if (!block_class)
        return refuse(why, ERROR_PLUGIN_DECLARATION, "plug-in '%s': class %u is missing", path, index);
    if (block_class->abi_version != HD_ABI_VERSION)
        return refuse(why, ERROR_PLUGIN_VERSION,
                      "plug-in '%s': class %u is built for version %u of the block ABI; this program has version %u",
                      path, index, block_class->abi_version, HD_ABI_VERSION);
    if (block_class->struct_bytes < sizeof *block_class)
        return refuse(why, ERROR_PLUGIN_VERSION, "plug-in '%s': class %u has %u bytes; it must have at least %zu", path,
                      index, block_class->struct_bytes, sizeof *block_class);
    findings found = {.out = open_memstream(&lines, &bytes)};
    const hd_block_class *composed = block_class->unit_slot_count ? units_compose(block_class, NULL, 0) : NULL;
    hd_check_declaration(composed ? composed : block_class, foreign, note, &found);
    units_release(composed);
    fclose(found.out);
    if (found.count)
        refuse(why, ERROR_PLUGIN_DECLARATION, "plug-in '%s': the declaration of class %s/%s is broken%s", path,
               block_class->kind ? block_class->kind : "?", block_class->type ? block_class->type : "?", lines);
    free(lines);
    return !found.count;
}

uint32_t entry_check_composed(const char *path, const hd_unit *unit, const hd_block_class *composed, refusal *why)
{
    char *lines = NULL;
    size_t bytes = 0;
    findings found = {.out = open_memstream(&lines, &bytes)};
    hd_check_declaration(composed, 0, note, &found);
    fclose(found.out);
    if (found.count)
        refuse(why, ERROR_PLUGIN_DECLARATION, "plug-in '%s': with unit %s/%s the declaration of %s/%s is broken%s",
               path, unit->kind, unit->name, composed->kind, composed->type, lines);
    free(lines);
    return !found.count;
}

/* One word, as names of kinds and types are. */
static uint32_t is_word(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return text && *text && text[strspn(text, letters)] == '\0' && strlen(text) <= HD_NAME_MAX;
}

static uint32_t check_unit(const char *path, uint32_t index, const hd_unit *unit, refusal *why)
{
    if (!unit)
        return refuse(why, ERROR_PLUGIN_DECLARATION, "plug-in '%s': unit %u is missing", path, index);
    if (unit->abi_version != HD_ABI_VERSION)
        return refuse(why, ERROR_PLUGIN_VERSION,
                      "plug-in '%s': unit %u is built for version %u of the block ABI; this program has version %u",
                      path, index, unit->abi_version, HD_ABI_VERSION);
    if (unit->struct_bytes < sizeof *unit)
        return refuse(why, ERROR_PLUGIN_VERSION, "plug-in '%s': unit %u has %u bytes; it must have at least %zu", path,
                      index, unit->struct_bytes, sizeof *unit);
    if (!is_word(unit->kind) || !is_word(unit->name) || !unit->doc || !*unit->doc || !unit->interface ||
        !unit->functions)
        return refuse(why, ERROR_PLUGIN_DECLARATION,
                      "plug-in '%s': unit %u does not state its kind, name, doc, interface or functions", path, index);
    if ((unit->parameter_count && !unit->parameters) || (unit->statistic_count && !unit->statistics) ||
        (unit->message_count && !unit->messages) || (unit->trace_event_count && !unit->trace_events) ||
        (unit->requirement_count && !unit->requirements) || (unit->structure_count && !unit->structures) ||
        (unit->energy_event_count && !unit->energy_events) || unit->profiled_count > unit->statistic_count)
        return refuse(why, ERROR_PLUGIN_DECLARATION, "plug-in '%s': a table of unit %s/%s is missing", path, unit->kind,
                      unit->name);
    return 1;
}

uint32_t c_entry_check(const hd_plugin *plugin, const char *path, refusal *why)
{
    if (!entry_check_version(path, plugin->abi_version, plugin->struct_bytes, sizeof *plugin, why) ||
        !entry_check_texts(path, plugin->name, plugin->version, plugin->licence, why))
        return 0;
    if ((!plugin->class_count && !plugin->unit_count) || (plugin->class_count && !plugin->classes) ||
        (plugin->unit_count && !plugin->units))
        return refuse(why, ERROR_PLUGIN_ENTRY, "plug-in '%s' has no classes and no units", path);
    for (uint32_t i = 0; i < plugin->class_count; i++)
        if (!entry_check_class(path, i, plugin->classes[i], 0, why))
            return 0;
    for (uint32_t i = 0; i < plugin->unit_count; i++)
        if (!check_unit(path, i, plugin->units[i], why))
            return 0;
    return 1;
}
