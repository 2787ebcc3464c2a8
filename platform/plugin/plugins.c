/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compose.h"
#include "diagnostics.h"
#include "netlist_errors.h"
#include "plugin_internal.h"

/* From the library to the plug-ins that are installed beside it. */
#define PLUGIN_FOLDER "heddle/plugins"

typedef struct plugin {
    char *path; /* as asked for */
    dev_t device;
    ino_t file;
    shared_object object;
} plugin;

struct hd_plugins {
    netlist_plugin_loader loader;
    char *folder;
    plugin *all;
    uint32_t count;
    const hd_block_class **classes; /* the built-in ones first, with all units */
    uint32_t *origins;              /* index in all; UINT32_MAX = built in */
    size_t class_count;
    const hd_unit **units; /* of all plug-ins */
    size_t unit_count;
    const hd_block_class **composed; /* all that have been made: machines have those of before */
    size_t composed_count;
};

uint32_t refuse(refusal *why, uint32_t number, const char *format, ...)
{
    size_t bytes = 0;
    if (why->number)
        return 0;
    FILE *out = open_memstream(&why->text, &bytes);
    if (!out)
        abort();
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fclose(out);
    why->number = number;
    return 0;
}

static void *grow(void *items, size_t count, size_t item_bytes)
{
    items = realloc(items, count * item_bytes);
    if (!items)
        abort();
    return items;
}

/* ---- Units of classes ---------------------------------------------------------------------------------------------- */

/* The class with the first `units` of all plug-ins' units; the class itself if it has no slots. */
static const hd_block_class *compose(hd_plugins *plugins, const hd_block_class *block_class, size_t units)
{
    if (!block_class->unit_slot_count)
        return block_class;
    const hd_block_class *made = units_compose(block_class, plugins->units, units);
    plugins->composed = grow(plugins->composed, plugins->composed_count + 1, sizeof *plugins->composed);
    return plugins->composed[plugins->composed_count++] = made;
}

static void compose_all(hd_plugins *plugins, const hd_unit *added)
{
    for (size_t i = 0; i < plugins->class_count; i++)
        if (unit_slot(plugins->classes[i], added->kind))
            plugins->classes[i] = compose(plugins, plugins->classes[i], plugins->unit_count);
}

/* ---- Classes ------------------------------------------------------------------------------------------------------ */

static void add_class(hd_plugins *plugins, const hd_block_class *block_class, uint32_t origin)
{
    plugins->classes = grow(plugins->classes, plugins->class_count + 1, sizeof *plugins->classes);
    plugins->origins = grow(plugins->origins, plugins->class_count + 1, sizeof *plugins->origins);
    plugins->origins[plugins->class_count] = origin;
    plugins->classes[plugins->class_count++] = compose(plugins, block_class, plugins->unit_count);
}

static uint32_t class_count(const shared_object *object)
{
    return object->plugin ? object->plugin->class_count : systemc_entry_count(object->models);
}

static const hd_block_class *class_at(const shared_object *object, uint32_t index)
{
    return object->plugin ? object->plugin->classes[index] : systemc_entry_class(object->models, index);
}

static uint32_t is_same(const hd_block_class *a, const hd_block_class *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->type, b->type) == 0;
}

static uint32_t check_class_is_new(const hd_plugins *plugins, const plugin *added, uint32_t index, refusal *why)
{
    const hd_block_class *block_class = class_at(&added->object, index);
    for (uint32_t i = 0; i < index; i++)
        if (is_same(class_at(&added->object, i), block_class))
            return refuse(why, ERROR_PLUGIN_DUPLICATE, "plug-in '%s' defines %s/%s twice", added->path,
                          block_class->kind, block_class->type);
    for (size_t i = 0; i < plugins->class_count; i++) {
        if (!is_same(plugins->classes[i], block_class))
            continue;
        if (plugins->origins[i] == UINT32_MAX)
            return refuse(why, ERROR_PLUGIN_DUPLICATE, "plug-in '%s' defines %s/%s, which this program has built in",
                          added->path, block_class->kind, block_class->type);
        return refuse(why, ERROR_PLUGIN_DUPLICATE, "plug-in '%s' defines %s/%s, as plug-in '%s' does", added->path,
                      block_class->kind, block_class->type, plugins->all[plugins->origins[i]].path);
    }
    return 1;
}

/* Is there a class with a slot for it, the plug-in's own ones included? */
static uint32_t check_unit_has_a_place(const hd_plugins *plugins, const plugin *added, const hd_unit *unit,
                                       refusal *why)
{
    const hd_unit_slot *slot = NULL;
    for (size_t i = 0; !slot && i < plugins->class_count; i++)
        slot = unit_slot(plugins->classes[i], unit->kind);
    for (uint32_t i = 0; !slot && i < added->object.plugin->class_count; i++)
        slot = unit_slot(added->object.plugin->classes[i], unit->kind);
    if (!slot)
        return refuse(why, ERROR_PLUGIN_DECLARATION, "plug-in '%s': no block has units of kind '%s', as '%s' is",
                      added->path, unit->kind, unit->name);
    if (!unit_fits(unit, slot))
        return refuse(why, ERROR_PLUGIN_VERSION,
                      "plug-in '%s': unit %s/%s is built for the interface %s; blocks have units of %s", added->path,
                      unit->kind, unit->name, unit->interface, slot->interface);
    const char *lacking = unit_lacks(unit, slot);
    if (lacking)
        return refuse(why, ERROR_PLUGIN_DECLARATION, "plug-in '%s': unit %s/%s has no function '%s'", added->path,
                      unit->kind, unit->name, lacking);
    return 1;
}

static uint32_t is_same_unit(const hd_unit *a, const hd_unit *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->name, b->name) == 0;
}

static uint32_t check_unit_is_new(const hd_plugins *plugins, const plugin *added, uint32_t index, refusal *why)
{
    const hd_unit *const *units = added->object.plugin->units, *unit = units[index];
    for (uint32_t i = 0; i < index; i++)
        if (is_same_unit(units[i], unit))
            return refuse(why, ERROR_PLUGIN_DUPLICATE, "plug-in '%s' defines %s/%s twice", added->path, unit->kind,
                          unit->name);
    for (size_t c = 0; c < plugins->class_count; c++) {
        const struct hd_composition *composition = plugins->classes[c]->composition;
        for (uint32_t i = 0; composition && i < composition->place_count; i++)
            if (is_same_unit(composition->places[i].unit, unit))
                return refuse(why, ERROR_PLUGIN_DUPLICATE, "plug-in '%s' defines %s/%s, which exists already",
                              added->path, unit->kind, unit->name);
    }
    return 1;
}

static uint32_t check_plugin(const hd_plugins *plugins, const plugin *added, refusal *why)
{
    const shared_object *object = &added->object;
    if (!(object->plugin ? c_entry_check(object->plugin, added->path, why)
                         : systemc_entry_check(object->models, added->path, why)))
        return 0;
    for (uint32_t i = 0; i < class_count(object); i++)
        if (!check_class_is_new(plugins, added, i, why))
            return 0;
    for (uint32_t i = 0; object->plugin && i < object->plugin->unit_count; i++)
        if (!check_unit_has_a_place(plugins, added, object->plugin->units[i], why) ||
            !check_unit_is_new(plugins, added, i, why))
            return 0;
    return 1;
}

const void *plugins_find_model(const hd_plugins *plugins, const hd_block_class *block_class, uint32_t *index)
{
    for (uint32_t p = 0; p < plugins->count; p++) {
        const void *models = plugins->all[p].object.models;
        for (uint32_t i = 0; models && i < systemc_entry_count(models); i++) {
            *index = i;
            if (systemc_entry_class(models, i) == block_class)
                return models;
        }
    }
    return NULL;
}

/* ---- Loading ------------------------------------------------------------------------------------------------------ */

static uint32_t is_loaded(const hd_plugins *plugins, const struct stat *file)
{
    for (uint32_t i = 0; i < plugins->count; i++)
        if (plugins->all[i].device == file->st_dev && plugins->all[i].file == file->st_ino)
            return 1;
    return 0;
}

/* Beside the library that this code is in; to be freed. */
static char *installed_folder(void)
{
    Dl_info library;
    char *folder;
    const char *slash = dladdr(PLUGIN_FOLDER, &library) && library.dli_fname ? strrchr(library.dli_fname, '/') : NULL;
    if (!slash)
        return NULL;
    if (asprintf(&folder, "%.*s/" PLUGIN_FOLDER, (int)(slash - library.dli_fname), library.dli_fname) < 0)
        abort();
    return folder;
}

/* The path with a '/' in it, so that the loader of shared objects searches nowhere; to be freed. */
static char *find_file(const hd_plugins *plugins, const char *path)
{
    char *found;
    if (plugins->loader.folder && !strchr(path, '/') && access(path, F_OK)) {
        if (asprintf(&found, "%s/%s", plugins->loader.folder, path) < 0)
            abort();
        if (access(found, F_OK) == 0)
            return found;
        free(found);
    }
    if (asprintf(&found, "%s%s", strchr(path, '/') ? "" : "./", path) < 0)
        abort();
    return found;
}

/* The tables of blocks with the unit, too, follow the rules. */
static uint32_t check_composed(const hd_plugins *plugins, const plugin *added, const hd_unit *unit, refusal *why)
{
    for (size_t i = 0; i < plugins->class_count; i++)
        if (unit_slot(plugins->classes[i], unit->kind) &&
            !entry_check_composed(added->path, unit, plugins->classes[i], why))
            return 0;
    return 1;
}

/* All or none. */
static uint32_t add_units(hd_plugins *plugins, const plugin *added, refusal *why)
{
    const hd_plugin *entry = added->object.plugin;
    const size_t before = plugins->unit_count;
    for (uint32_t i = 0; entry && i < entry->unit_count; i++) {
        plugins->units = grow(plugins->units, plugins->unit_count + 1, sizeof *plugins->units);
        plugins->units[plugins->unit_count++] = entry->units[i];
        compose_all(plugins, entry->units[i]);
    }
    for (uint32_t i = 0; entry && i < entry->unit_count; i++)
        if (!check_composed(plugins, added, entry->units[i], why)) {
            plugins->unit_count = before;
            for (uint32_t u = 0; u < entry->unit_count; u++)
                compose_all(plugins, entry->units[u]);
            return 0;
        }
    return 1;
}

static uint32_t load(hd_plugins *plugins, const char *path, refusal *why)
{
    const size_t classes = plugins->class_count;
    struct stat file = {0};
    char *found = find_file(plugins, path);
    if (!stat(found, &file) && is_loaded(plugins, &file)) {
        free(found);
        return 1;
    }
    plugin added = {.path = found, .device = file.st_dev, .file = file.st_ino};
    if (!shared_object_open(&added.object, found, why) || !check_plugin(plugins, &added, why)) {
        shared_object_close(&added.object);
        free(added.path);
        return 0;
    }
    plugins->all = grow(plugins->all, plugins->count + 1, sizeof *plugins->all);
    plugins->all[plugins->count++] = added;
    for (uint32_t i = 0; i < class_count(&added.object); i++)
        add_class(plugins, class_at(&added.object, i), plugins->count - 1);
    if (add_units(plugins, &added, why))
        return 1;
    plugins->class_count = classes;
    plugins->count--;
    shared_object_close(&added.object);
    free(added.path);
    return 0;
}

uint32_t hd_plugins_load(hd_plugins *plugins, const char *path, char **refusal_text)
{
    refusal why = {0};
    *refusal_text = NULL;
    if (load(plugins, path, &why))
        return 0;
    *refusal_text = why.text;
    return why.number;
}

static uint32_t load_for_netlist(void *context, const char *path, netlist_registry *registry, char **refusal_text)
{
    uint32_t number = hd_plugins_load(context, path, refusal_text);
    *registry = hd_plugins_registry(context);
    return number;
}

/* ---- The set ------------------------------------------------------------------------------------------------------ */

hd_plugins *hd_plugins_create(netlist_registry built_in, const netlist_plugin_request *requests, size_t request_count)
{
    hd_plugins *plugins = calloc(1, sizeof *plugins);
    if (!plugins)
        abort();
    plugins->folder = installed_folder();
    plugins->loader = (netlist_plugin_loader){.context = plugins,
                                              .load = load_for_netlist,
                                              .requests = requests,
                                              .request_count = request_count,
                                              .folder = plugins->folder};
    for (size_t i = 0; i < built_in.count; i++)
        add_class(plugins, built_in.classes[i], UINT32_MAX);
    return plugins;
}

void hd_plugins_destroy(hd_plugins *plugins)
{
    if (!plugins)
        return;
    for (size_t i = 0; i < plugins->composed_count; i++)
        units_release(plugins->composed[i]);
    free(plugins->composed);
    free(plugins->units);
    for (uint32_t i = 0; i < plugins->count; i++) {
        shared_object_close(&plugins->all[i].object);
        free(plugins->all[i].path);
    }
    free(plugins->folder);
    free(plugins->all);
    free(plugins->classes);
    free(plugins->origins);
    free(plugins);
}

netlist_registry hd_plugins_registry(hd_plugins *plugins)
{
    return (netlist_registry){.classes = plugins->classes, .count = plugins->class_count, .loader = &plugins->loader};
}
