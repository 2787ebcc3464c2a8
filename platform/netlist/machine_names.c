/* SPDX-License-Identifier: MIT */
#include "machine_names.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "netlist_errors.h"
#include "shipped_files.h"

/* From the library or program that this code is in: as it is built, and as it is installed. */
static const char *const shipped_in[] = {"share/heddle/configs", "../share/heddle/configs",
                                         "../../share/heddle/configs", NULL};
static const struct {
    const char *folder, *what;
} shipped[] = {{"machines", "machines of published studies"},
               {"cards", "cards, as they are sold"},
               {"simulators", "machines of other simulators, for comparisons with them"},
               {"variants", "variants of machines"},
               {"vector", "machines of vector cores, without a GPU"}};

typedef struct folder_list {
    netlist_machine_folder *folders;
    uint32_t count;
    uint32_t capacity;
} folder_list;

typedef struct text_list {
    const char **texts;
    uint32_t count;
    uint32_t capacity;
} text_list;

static void add(arena *memory, text_list *list, const char *text)
{
    list->texts = arena_grow(memory, list->texts, list->count, &list->capacity, sizeof *list->texts);
    list->texts[list->count++] = text;
}

static int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && !strcmp(text + length - end_length, end);
}

int netlist_is_machine_name(const char *word)
{
    return *word && !strchr(word, '/') && strcmp(word, ".") && strcmp(word, "..") && !ends_with(word, ".yaml") &&
           !ends_with(word, ".yml");
}

/* ---- Folders -------------------------------------------------------------------------------------------------------- */

static int is_same(const char *a, const char *b)
{
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static void add_folder(arena *memory, folder_list *list, const char *path, const char *what)
{
    if (!netlist_is_folder(path))
        return;
    for (uint32_t i = 0; i < list->count; i++)
        if (is_same(list->folders[i].path, path))
            return;
    list->folders = arena_grow(memory, list->folders, list->count, &list->capacity, sizeof *list->folders);
    list->folders[list->count++] = (netlist_machine_folder){path, what};
}

static const char *folder_of(arena *memory, const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!slash)
        return ".";
    return slash == file ? "/" : arena_copy(memory, file, (size_t)(slash - file));
}

/* The names in the working directory stand by themselves: "machines/small.yaml". */
static const char *within(arena *memory, const char *folder, const char *name)
{
    return strcmp(folder, ".") ? arena_format(memory, "%s/%s", folder, name) : name;
}

static void add_listed(arena *memory, folder_list *list, const char *folders)
{
    for (const char *folder; folders && (folder = netlist_next_folder(memory, &folders));)
        add_folder(memory, list, folder, "");
}

/* configs, as it comes with Heddle; NULL: it is not here. */
static const char *shipped_configs(arena *memory)
{
    return netlist_shipped_folder(memory, shipped_in);
}

static void add_shipped(arena *memory, folder_list *list)
{
    const char *configs = shipped_configs(memory);
    for (size_t i = 0; configs && i < sizeof shipped / sizeof *shipped; i++)
        add_folder(memory, list, arena_format(memory, "%s/%s", configs, shipped[i].folder), shipped[i].what);
}

uint32_t netlist_machine_folders(arena *memory, const char *from, const netlist_machine_folder **folders)
{
    folder_list list = {0};
    const char *own = folder_of(memory, from);
    add_folder(memory, &list, own, "");
    add_folder(memory, &list, within(memory, own, "machines"), "");
    add_listed(memory, &list, getenv(NETLIST_MACHINES_VARIABLE));
    add_shipped(memory, &list);
    *folders = list.folders;
    return list.count;
}

/* ---- Names ---------------------------------------------------------------------------------------------------------- */

static void add_file(arena *memory, text_list *list, const char *path, const char *from)
{
    struct stat found;
    if (stat(path, &found) || S_ISDIR(found.st_mode) || (from && is_same(path, from)))
        return;
    for (uint32_t i = 0; i < list->count; i++)
        if (is_same(list->texts[i], path))
            return;
    add(memory, list, path);
}

static void add_names(arena *memory, candidates *known, const char *folder)
{
    DIR *opened = opendir(folder);
    for (const struct dirent *item; opened && (item = readdir(opened));)
        if (item->d_name[0] != '.' && ends_with(item->d_name, ".yaml"))
            candidates_add(memory, known, arena_copy(memory, item->d_name, strlen(item->d_name) - strlen(".yaml")));
    if (opened)
        closedir(opened);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The working directory is left out: what has a name there need not be a machine. */
static void report_unknown(arena *memory, diagnostics *log, span at, const char *name,
                           const netlist_machine_folder *folders, uint32_t count)
{
    candidates known = {0};
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(folders[i].path, ".") != 0)
            add_names(memory, &known, folders[i].path);
    if (known.count)
        qsort(known.names, known.count, sizeof *known.names, compare_names);
    report_error(log, ERROR_UNREADABLE, at, "there is no machine '%s'", name);
    candidates_suggest(log, name, &known);
    report_note(log, "'heddle list machines' names all; the path of a file has a '/' in it or ends in .yaml");
}

static const char *report_several(diagnostics *log, span at, const char *name, const text_list *found)
{
    report_error(log, ERROR_NAME_TWICE, at, "'%s' is the name of %u machines", name, found->count);
    for (uint32_t i = 0; i < found->count; i++)
        report_note(log, "%s%s", strchr(found->texts[i], '/') ? "" : "./", found->texts[i]);
    report_note(log, "a path says which one is meant");
    return NULL;
}

const char *netlist_machine_path(arena *memory, diagnostics *log, span at, const char *name, const char *from)
{
    const netlist_machine_folder *folders;
    const char *plain = within(memory, folder_of(memory, from), name), *file = arena_format(memory, "%s.yaml", name);
    const uint32_t count = netlist_machine_folders(memory, from, &folders);
    text_list found = {0};
    add_file(memory, &found, plain, from);
    for (uint32_t i = 0; i < count; i++)
        add_file(memory, &found, within(memory, folders[i].path, file), from);
    if (found.count == 1)
        return found.texts[0];
    if (found.count)
        return report_several(log, at, name, &found);
    if (netlist_is_folder(plain))
        return plain;
    report_unknown(memory, log, at, name, folders, count);
    return NULL;
}

/* ---- Energy tables ---------------------------------------------------------------------------------------------------- */

#define ENERGY_FOLDER "energy"

const char *netlist_energy_path(arena *memory, diagnostics *log, span at, const char *name, const char *from)
{
    const char *configs = shipped_configs(memory);
    const char *folders[] = {within(memory, folder_of(memory, from), ENERGY_FOLDER),
                             configs ? arena_format(memory, "%s/" ENERGY_FOLDER, configs) : NULL};
    candidates known = {0};
    for (size_t i = 0; i < sizeof folders / sizeof *folders && folders[i]; i++) {
        struct stat found;
        const char *path = arena_format(memory, "%s/%s.yaml", folders[i], name);
        if (!stat(path, &found) && !S_ISDIR(found.st_mode))
            return path;
        add_names(memory, &known, folders[i]);
    }
    if (known.count)
        qsort(known.names, known.count, sizeof *known.names, compare_names);
    report_error(log, ERROR_UNREADABLE, at, "there is no energy table '%s'", name);
    candidates_suggest(log, name, &known);
    report_note(log, "the path of a file has a '/' in it or ends in .yaml");
    return NULL;
}
