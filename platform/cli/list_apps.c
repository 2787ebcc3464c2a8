/* SPDX-License-Identifier: MIT */
#include "list_apps.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "app_folder.h"
#include "table.h"
#include "yaml_tree.h"

static const char *text_in(const node *mapping, const char *key)
{
    const node *found = mapping->kind == NODE_MAPPING ? netlist_find_kind(mapping, key, NODE_SCALAR) : NULL;
    return found ? found->text : "";
}

/* NULL if it cannot be read; a run says why. */
static const node *read_app(arena *memory, const char *apps, const char *name)
{
    const char *text, *path = netlist_format(memory, "%s/%s/app.yaml", apps, name);
    char *errors = NULL;
    size_t length, error_bytes;
    int too_large;
    if (netlist_read_file(memory, path, &text, &length, &too_large))
        return NULL;
    diagnostics log = {.out = open_memstream(&errors, &error_bytes)};
    const node *root = netlist_parse(memory, &log, netlist_source(memory, path, text, length), text, length, 0);
    fclose(log.out);
    free(errors);
    return root && root->kind == NODE_MAPPING ? root : NULL;
}

static void write_app(arena *memory, const char *name, const node *app, enum netlist_format format, FILE *out)
{
    static const char *const titles[] = {"Option", "Default", "Meaning"};
    table rows = {.memory = memory, .titles = titles, .columns = 3};
    const node *options = netlist_find_kind(app, "options", NODE_MAPPING);
    for (uint32_t i = 0; options && i < options->count; i++) {
        const entry *option = &options->entries[i];
        TABLE_ROW(&rows, netlist_format(memory, "app.%s", option->key->text), text_in(option->value, "default"),
                  text_in(option->value, "doc"));
    }
    if (format == NETLIST_MARKDOWN)
        table_write_heading(name, text_in(app, "doc"), out);
    else
        fprintf(out, "%s: %s\n", name, text_in(app, "doc"));
    table_write(&rows, NULL, "  ", format, out);
}

static int is_listed(const struct dirent *item)
{
    return item->d_name[0] != '.';
}

size_t hd_list_apps(const char *pattern, enum netlist_format format, FILE *out)
{
    struct dirent **items = NULL;
    char *apps = hd_apps_folder();
    int found = apps ? scandir(apps, &items, is_listed, alphasort) : 0;
    size_t count = 0;
    for (int i = 0; i < found; i++) {
        arena memory = {0};
        const char *name = items[i]->d_name;
        const node *app = pattern && fnmatch(pattern, name, 0) ? NULL : read_app(&memory, apps, name);
        if (app) {
            if (count && format == NETLIST_TEXT)
                fputc('\n', out);
            write_app(&memory, name, app, format, out);
            count++;
        }
        netlist_arena_free(&memory);
        free(items[i]);
    }
    free(items);
    free(apps);
    return count;
}
