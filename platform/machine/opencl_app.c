/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "opencl_app.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#define BLANKS " \t\n"

/* ---- Values of keys -------------------------------------------------------------------------------------------------- */

static void split(arena *memory, const char *line, hd_opencl_app *app)
{
    app->words = arena_alloc(memory, (strlen(line) / 2 + 1) * sizeof *app->words);
    for (line += strspn(line, BLANKS); *line; line += strspn(line, BLANKS)) {
        const size_t length = strcspn(line, BLANKS);
        app->words[app->word_count++] = arena_copy(memory, line, length);
        line += length;
    }
}

static int wrong_shape(diagnostics *log, const node *value, const char *what)
{
    span at = value->at;
    if (value->kind != NODE_SCALAR)
        at.width = 1;
    report_error(log, ERROR_WRONG_SHAPE, at, "%s", what);
    return 0;
}

static int read_list(arena *memory, diagnostics *log, const node *value, const char *what, const char ***list,
                     uint32_t *count)
{
    if (value->kind != NODE_SEQUENCE)
        return wrong_shape(log, value, what);
    *list = arena_alloc(memory, value->count * sizeof **list + 1);
    for (uint32_t i = 0; i < value->count; i++) {
        const node *word = value->entries[i].value;
        if (word->kind != NODE_SCALAR) {
            wrong_shape(log, word, what);
            if (word->kind == NODE_MAPPING)
                report_note(log, "a word with braces stands in quotes here: \"{size}\"");
            return 0;
        }
        (*list)[(*count)++] = word->text;
    }
    return 1;
}

/* One line, or a list of words. */
static int read_command(arena *memory, diagnostics *log, const node *value, hd_opencl_app *app)
{
    if (value->kind == NODE_SCALAR)
        split(memory, value->text, app);
    else if (!read_list(memory, log, value, "the command must be a line or a list of words", &app->words,
                        &app->word_count))
        return 0;
    return app->word_count ? 1 : wrong_shape(log, value, "the command names no program");
}

static int read_number(diagnostics *log, const node *value, const char *key, uint32_t most, uint32_t *number)
{
    uint64_t read;
    if (value->kind == NODE_SCALAR && hd_host_number(value->text, &read) && read <= most) {
        *number = (uint32_t)read;
        return 1;
    }
    span at = value->at;
    if (value->kind != NODE_SCALAR)
        at.width = 1;
    report_error(log, ERROR_WRONG_TYPE, at, "%s must be a whole number of at most %u", key, most);
    return 0;
}

/* ---- Places of options -------------------------------------------------------------------------------------------------- */

/* The next {NAME} of a word: *name, and how many characters it has; NULL: there is none. */
static const char *next_place(const char *word, const char **name, size_t *length)
{
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    for (; (word = strchr(word, '{')); word++) {
        *name = word + 1;
        *length = strspn(*name, characters);
        if (*length && (*name)[*length] == '}')
            return word;
    }
    return NULL;
}

static int check_places(arena *memory, diagnostics *log, const node *command, const hd_opencl_app *app,
                        const node *options)
{
    for (uint32_t i = 0; i < app->word_count; i++) {
        const char *name;
        size_t length;
        for (const char *at = app->words[i]; (at = next_place(at, &name, &length)); at = name + length) {
            const char *option = arena_copy(memory, name, length);
            if (options && netlist_entry(options, option))
                continue;
            report_error(log, ERROR_UNKNOWN_KEY, command->at, "the command has {%s}, and there is no option '%s'",
                         option, option);
            return 0;
        }
    }
    return 1;
}

static int has_place_of(const hd_opencl_app *app, const char *option)
{
    for (uint32_t i = 0; i < app->word_count; i++) {
        const char *name;
        size_t length;
        for (const char *at = app->words[i]; (at = next_place(at, &name, &length)); at = name + length)
            if (length == strlen(option) && !strncmp(name, option, length))
                return 1;
    }
    return 0;
}

/* An option that the program never gets would change nothing: all its values had the same results. */
static int check_options(diagnostics *log, const hd_opencl_app *app, const node *options)
{
    for (uint32_t i = 0; options && i < options->count; i++) {
        const node *key = options->entries[i].key;
        if (has_place_of(app, key->text))
            continue;
        report_error(log, ERROR_UNKNOWN_KEY, key->at, "option '%s' has no place {%s} in the command", key->text,
                     key->text);
        return 0;
    }
    return 1;
}

static const char *value_of(const hd_host_option *inputs, uint32_t count, const char *name, size_t length)
{
    for (uint32_t i = 0; i < count; i++)
        if (!strncmp(inputs[i].name, name, length) && !inputs[i].name[length])
            return inputs[i].value;
    return "";
}

static const char *fill(arena *memory, const char *word, const hd_host_option *inputs, uint32_t count)
{
    const char *whole = "", *at, *name;
    size_t length;
    for (; (at = next_place(word, &name, &length)); word = name + length + 1)
        whole = arena_format(memory, "%s%.*s%s", whole, (int)(at - word), word, value_of(inputs, count, name, length));
    return arena_format(memory, "%s%s", whole, word);
}

const char **hd_opencl_app_words(arena *memory, const hd_opencl_app *app, const hd_host_option *inputs, uint32_t count)
{
    const char **words = arena_alloc(memory, (app->word_count + 1) * sizeof *words);
    for (uint32_t i = 0; i < app->word_count; i++)
        words[i] = fill(memory, app->words[i], inputs, count);
    return words;
}

/* ---- The whole --------------------------------------------------------------------------------------------------------- */

static int read_key(arena *memory, diagnostics *log, const entry *item, hd_opencl_app *app)
{
    static const char *const known[] = {"command", "inputs", "prints", "exit_code", "timeout"};
    const char *key = item->key->text;
    const node *value = item->value;
    if (!strcmp(key, "command"))
        return read_command(memory, log, value, app);
    if (!strcmp(key, "inputs"))
        return read_list(memory, log, value, "inputs must be a list of files", &app->inputs, &app->input_count);
    if (!strcmp(key, "exit_code"))
        return read_number(log, value, key, 255, &app->exit_code);
    if (!strcmp(key, "timeout"))
        return read_number(log, value, "timeout, in seconds,", HD_OPENCL_TIMEOUT_MAX, &app->timeout);
    if (!strcmp(key, "prints")) {
        app->prints = value->text;
        return value->kind == NODE_SCALAR || wrong_shape(log, value, "prints must be a text");
    }
    candidates names = {0};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        candidates_add(memory, &names, known[i]);
    report_error(log, ERROR_UNKNOWN_KEY, item->key->at, "an OpenCL program has no '%s'", key);
    candidates_suggest(log, key, &names);
    return 0;
}

/* The files of the app's folder, unless it says which. */
static void add_inputs(arena *memory, hd_opencl_app *app)
{
    if (app->inputs)
        return;
    app->inputs = arena_alloc(memory, sizeof *app->inputs);
    app->inputs[app->input_count++] = ".";
}

const hd_opencl_app *hd_opencl_app_read(arena *memory, diagnostics *log, const node *value, const node *options)
{
    hd_opencl_app *app = arena_alloc(memory, sizeof *app);
    const node *command = value;
    if (value->kind == NODE_MAPPING) {
        for (uint32_t i = 0; i < value->count; i++)
            if (!read_key(memory, log, &value->entries[i], app))
                return NULL;
        command = netlist_find(value, "command");
    } else if (!read_command(memory, log, value, app)) {
        return NULL;
    }
    if (!command) {
        report_error(log, ERROR_MISSING_KEY, (span){value->at.source, value->at.line, value->at.column, 1},
                     "an OpenCL program needs a command");
        return NULL;
    }
    add_inputs(memory, app);
    return check_places(memory, log, command, app, options) && check_options(log, app, options) ? app : NULL;
}

/* ---- Files --------------------------------------------------------------------------------------------------------------- */

char *hd_opencl_app_program(const hd_opencl_app *app, const char *folder)
{
    const char *name = app->words[0], *folders = getenv("PATH");
    if (*name == '/')
        return hd_text_format("%s", name);
    if (strchr(name, '/'))
        return hd_text_format("%s/%s", folder, strncmp(name, "./", 2) ? name : name + 2);
    for (size_t length; folders && *folders; folders += length + (folders[length] == ':')) {
        length = strcspn(folders, ":");
        char *path = hd_text_format("%.*s/%s", (int)length, folders, name);
        if (!access(path, X_OK))
            return path;
        free(path);
    }
    return NULL;
}

int hd_opencl_app_is_at(const char *folder)
{
    static const char key[] = "\n" HD_OPENCL_APP_KEY ":";
    arena memory = {0};
    const char *text;
    size_t length;
    int too_large;
    const char *path = arena_format(&memory, "%s/app.yaml", folder);
    const int is_at = !source_look_into_file(&memory, path, &text, &length, &too_large) &&
                      (!strncmp(text, key + 1, strlen(key + 1)) || memmem(text, length, key, strlen(key)));
    arena_free(&memory);
    return is_at;
}
