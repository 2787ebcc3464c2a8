/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "machine_names.h"
#include "utf8.h"
#include "yaml_tree.h"

#define EXTENSION ".yaml"

static int is_listed(const struct dirent *item)
{
    const char *dot = strrchr(item->d_name, '.');
    return item->d_name[0] != '.' && dot && !strcmp(dot, EXTENSION);
}

/* NULL: it is no machine, or cannot be read; who asks for it is told why. */
static const node *read_machine(arena *memory, const char *path)
{
    const char *text;
    char *errors = NULL;
    size_t length, error_bytes;
    int too_large;
    if (source_read_file(memory, path, &text, &length, &too_large) || too_large || utf8_fault(text, length) < length)
        return NULL;
    diagnostics log = {.out = open_memstream(&errors, &error_bytes)};
    if (!log.out)
        abort();
    const node *root = netlist_parse(memory, &log, source_of_text(memory, path, text, length), text, length, 0);
    fclose(log.out);
    free(errors);
    if (!root || root->kind != NODE_MAPPING || !netlist_find(root, "heddle"))
        return NULL;
    return netlist_find(root, "blocks") || netlist_find(root, "extends") ? root : NULL;
}

static const char *text_in(const node *machine, const char *key)
{
    const node *found = netlist_find_kind(machine, key, NODE_SCALAR);
    return found ? found->text : "";
}

static const char *without_extension(arena *memory, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return arena_copy(memory, name, dot && !strcmp(dot, EXTENSION) ? (size_t)(dot - name) : strlen(name));
}

static void add_machines(table *rows, const char *folder, const char *pattern)
{
    struct dirent **items = NULL;
    const int found = scandir(folder, &items, is_listed, alphasort);
    for (int i = 0; i < found; i++) {
        const char *name = without_extension(rows->memory, items[i]->d_name);
        const node *machine =
            list_matches(name, pattern)
                ? read_machine(rows->memory, arena_format(rows->memory, "%s/%s", folder, items[i]->d_name))
                : NULL;
        if (machine)
            TABLE_ROW(rows, name, without_extension(rows->memory, text_in(machine, "extends")),
                      text_in(machine, "description"));
        free(items[i]);
    }
    free(items);
}

size_t netlist_list_machines(const char *pattern, enum text_format format, FILE *out)
{
    static const char *const titles[] = {"Machine", "Extends", "What it is"};
    arena memory = {0};
    const netlist_machine_folder *folders;
    const uint32_t count = netlist_machine_folders(&memory, NULL, &folders);
    size_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        table rows = {.memory = &memory, .titles = titles, .columns = 3};
        const char *const path = folders[i].path, *const what = folders[i].what;
        const char *const title = *what ? arena_format(&memory, "%s: %s", path, what) : path;
        add_machines(&rows, path, pattern);
        if (rows.rows && format == TEXT_PLAIN)
            fprintf(out, "%s%s\n", listed ? "\n" : "", title);
        table_write(&rows, format == TEXT_PLAIN ? NULL : title, "  ", format, out);
        listed += rows.rows;
    }
    arena_free(&memory);
    return listed;
}
