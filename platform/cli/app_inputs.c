/* SPDX-License-Identifier: MIT */
#include "app_inputs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input_file.h"
#include "text.h"

uint64_t hd_app_hash_text(uint64_t hash, const char *text)
{
    return hd_fnv_add(hash, text, strlen(text) + 1);
}

uint64_t hd_app_hash_file(uint64_t hash, const char *path)
{
    FILE *file = fopen(path, "rb");
    input_file_note(path);
    if (!file)
        return hd_app_hash_text(hash, "absent");
    char bytes[4096];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file)) != 0;)
        hash = hd_fnv_add(hash, bytes, count);
    fclose(file);
    return hash;
}

char *hd_app_inputs_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t bytes = 0;
    if (!file)
        return NULL;
    const ssize_t length = getdelim(&text, &bytes, '\0', file);
    fclose(file);
    if (length < 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- What a build has left --------------------------------------------------------------------------------------------- */

/* inputs: NULL at first. */
static char *add_path(char *inputs, const char *path)
{
    char *line = hd_text_format("\n%s\n", path), *before = hd_text_format("\n%s", inputs ? inputs : "");
    if (strstr(before, line) || !*path) {
        free(line);
        free(before);
        return inputs;
    }
    char *after = hd_text_format("%s%s", inputs ? inputs : "", line + 1);
    free(line);
    free(before);
    free(inputs);
    return after;
}

/* The next path of a rule for make, in place: blanks, `#` and `$` of a name are written `\\ `, `\\#` and `$$`. NULL at the end. */
static char *next_path(char **rest)
{
    char *from = *rest;
    while (*from == ' ' || *from == '\n' || (from[0] == '\\' && from[1] == '\n'))
        from += *from == '\\' ? 2 : 1;
    char *path = from, *to = from;
    for (; *from && *from != ' ' && *from != '\n'; from++) {
        if ((from[0] == '\\' && (from[1] == ' ' || from[1] == '#')) || (from[0] == '$' && from[1] == '$'))
            from++;
        *to++ = *from;
    }
    *rest = *from ? from + 1 : from;
    *to = '\0';
    return to == path ? NULL : path;
}

static char *add_rule(char *inputs, const char *folder, const char *name)
{
    char *file = hd_text_format("%s/%s", folder, name), *rule = hd_app_inputs_read(file);
    char *rest = rule ? strstr(rule, ": ") : NULL, *path;
    rest += rest != NULL;
    while (rest && (path = next_path(&rest)))
        inputs = add_path(inputs, path);
    free(rule);
    free(file);
    return inputs;
}

char *hd_app_inputs_of_build(const char *folder)
{
    static const char *const rules[] = {"kernel.d", "host.d", "firmware.d", "assembly.d"};
    char *file = hd_text_format("%s/tools", folder), *tools = hd_app_inputs_read(file), *inputs = NULL;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        inputs = add_rule(inputs, folder, rules[i]);
    for (char *tool = tools ? strtok(tools, "\n") : NULL; tool; tool = strtok(NULL, "\n"))
        inputs = add_path(inputs, tool);
    free(tools);
    free(file);
    return inputs;
}

int hd_app_inputs_write(const char *path, const char *inputs)
{
    char *beside = hd_text_format("%s.%ld", path, (long)getpid());
    FILE *file = fopen(beside, "wb");
    int good = file && fputs(inputs, file) >= 0;
    if (file)
        good = !fclose(file) && good;
    good = good && !rename(beside, path);
    if (!good)
        unlink(beside);
    free(beside);
    return good;
}

/* ---- What there is now --------------------------------------------------------------------------------------------------- */

/* Whether the path is that of the host's compiler, and PATH now leads to another one. */
static int is_hidden(const char *path)
{
    const char *name = strrchr(path, '/'), *folders = getenv("PATH");
    if (!name || strcmp(name, "/cc") != 0)
        return 0;
    for (size_t length; folders && *folders; folders += length + (folders[length] == ':')) {
        length = strcspn(folders, ":");
        char *found = hd_text_format("%.*s/cc", (int)length, folders);
        const int is_first = !access(found, X_OK), is_same = !strcmp(found, path);
        free(found);
        if (is_first)
            return !is_same;
    }
    return 0;
}

uint64_t hd_app_inputs_hash(const char *inputs)
{
    uint64_t hash = HD_FNV_START;
    char *copy = hd_text_format("%s", inputs), *left = NULL;
    for (char *path = strtok_r(copy, "\n", &left); path; path = strtok_r(NULL, "\n", &left)) {
        if (is_hidden(path)) {
            hash = 0;
            break;
        }
        hash = hd_app_hash_file(hd_app_hash_text(hash, path), path);
    }
    free(copy);
    return hash;
}

int hd_app_inputs_changed_since(const char *inputs, struct timespec time)
{
    int changed = 0;
    char *copy = hd_text_format("%s", inputs), *left = NULL;
    for (char *path = strtok_r(copy, "\n", &left); path && !changed; path = strtok_r(NULL, "\n", &left)) {
        struct stat status;
        changed =
            !stat(path, &status) && (status.st_mtim.tv_sec > time.tv_sec ||
                                     (status.st_mtim.tv_sec == time.tv_sec && status.st_mtim.tv_nsec >= time.tv_nsec));
    }
    free(copy);
    return changed;
}
