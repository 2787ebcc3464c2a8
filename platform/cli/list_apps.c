/* SPDX-License-Identifier: MIT */
#include "list_apps.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "app_declaration.h"
#include "app_folder.h"
#include "table.h"

/* 0 if it is none, or cannot be read; a run says why. */
static int read_app(arena *memory, const char *folder, hd_app_declaration *app)
{
    char *errors = NULL;
    size_t bytes;
    diagnostics log = {.out = open_memstream(&errors, &bytes)};
    if (!log.out)
        abort();
    const int good = hd_app_declaration_read(app, memory, &log, folder);
    fclose(log.out);
    free(errors);
    return good && app->options;
}

/* "app.grid=120 app.block=192" */
static const char *settings_text(arena *memory, const node *settings)
{
    const char *text = "";
    for (uint32_t i = 0; i < settings->count; i++)
        text = arena_format(memory, "%s%sapp.%s=%s", text, i ? " " : "", settings->entries[i].key->text,
                            settings->entries[i].value->text);
    return text;
}

static void write_app(arena *memory, const hd_app_declaration *app, enum text_format format, FILE *out)
{
    static const char *const titles[] = {"Option", "Default", "Meaning"};
    table rows = {.memory = memory, .titles = titles, .columns = 3};
    for (uint32_t i = 0; i < app->options->count; i++) {
        const entry *option = &app->options->entries[i];
        const node *doc =
            option->value->kind == NODE_MAPPING ? netlist_find_kind(option->value, "doc", NODE_SCALAR) : NULL;
        TABLE_ROW(&rows, arena_format(memory, "app.%s", option->key->text), hd_app_default(option->value),
                  doc ? doc->text : "");
    }
    for (uint32_t i = 0; app->variants && i < app->variants->count; i++)
        TABLE_ROW(&rows, arena_format(memory, "app." HD_APP_VARIANT "=%s", app->variants->entries[i].key->text), "",
                  settings_text(memory, app->variants->entries[i].value));
    if (format == TEXT_MARKDOWN)
        table_write_heading(app->name, app->doc, out);
    else
        fprintf(out, "%s: %s\n", app->name, app->doc);
    table_write(&rows, NULL, "  ", format, out);
}

static int is_listed(const struct dirent *item)
{
    return item->d_name[0] != '.';
}

size_t hd_list_apps(const char *pattern, enum text_format format, FILE *out)
{
    struct dirent **items = NULL;
    char *apps = hd_apps_folder();
    int found = apps ? scandir(apps, &items, is_listed, alphasort) : 0;
    size_t count = 0;
    for (int i = 0; i < found; i++) {
        arena memory = {0};
        hd_app_declaration app;
        if (read_app(&memory, arena_format(&memory, "%s/%s", apps, items[i]->d_name), &app) &&
            (!pattern || !fnmatch(pattern, app.name, 0))) {
            if (count && format == TEXT_PLAIN)
                fputc('\n', out);
            write_app(&memory, &app, format, out);
            count++;
        }
        arena_free(&memory);
        free(items[i]);
    }
    free(items);
    free(apps);
    return count;
}
