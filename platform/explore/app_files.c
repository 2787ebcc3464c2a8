/* SPDX-License-Identifier: MIT */
/* The files that make an app what it is. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "resolve.h"
#include "text.h"

static int fail(char **file, char *path)
{
    const int why = errno;
    *file = path;
    errno = why;
    return 0;
}

static void add_text(sha256 *hash, const char *text)
{
    sha256_add(hash, text, strlen(text) + 1);
}

/* Takes the path. */
static int add_file(sha256 *hash, char *path, char **file)
{
    digest read;
    if (!digest_of_file(path, &read))
        return fail(file, path);
    add_text(hash, read.text);
    free(path);
    return 1;
}

static int is_shown(const struct dirent *item)
{
    return item->d_name[0] != '.';
}

/* The files that lie directly in it. */
static int add_folder(sha256 *hash, const char *path, char **file)
{
    struct dirent **items;
    struct stat about;
    int good = 1;
    const int count = scandir(path, &items, is_shown, alphasort);
    if (count < 0)
        return fail(file, hd_text_format("%s", path));
    for (int i = 0; i < count; i++) {
        char *item = hd_text_format("%s/%s", path, items[i]->d_name);
        if (good && !stat(item, &about) && S_ISREG(about.st_mode)) {
            add_text(hash, items[i]->d_name);
            good = add_file(hash, item, file);
        } else {
            free(item);
        }
        free(items[i]);
    }
    free(items);
    return good;
}

static int add_input(sha256 *hash, const char *folder, const char *input, char **file)
{
    struct stat about;
    char *path = *input == '/' ? hd_text_format("%s", input) : hd_text_format("%s/%s", folder, input);
    add_text(hash, input);
    if (stat(path, &about) || !S_ISDIR(about.st_mode))
        return add_file(hash, path, file);
    const int good = add_folder(hash, path, file);
    free(path);
    return good;
}

/* What of app.yaml decides about its results; options are inputs of the run. */
static void add_declaration(sha256 *hash, const hd_opencl_app *program)
{
    char numbers[32];
    for (uint32_t i = 0; i < program->word_count; i++)
        add_text(hash, program->words[i]);
    snprintf(numbers, sizeof numbers, "%" PRIu32 " %" PRIu32, program->exit_code, program->timeout);
    add_text(hash, numbers);
    add_text(hash, program->prints ? program->prints : "");
}

static int add_opencl(sha256 *hash, const resolved_app *app, char **file)
{
    const hd_opencl_app *program = app->opencl;
    char *path = hd_opencl_app_program(program, app->folder);
    if (!path) {
        errno = ENOENT;
        return fail(file, hd_text_format("%s", program->words[0]));
    }
    add_declaration(hash, program);
    int good = add_file(hash, path, file);
    for (uint32_t i = 0; good && i < program->input_count; i++)
        good = add_input(hash, app->folder, program->inputs[i], file);
    return good;
}

static int add_built(sha256 *hash, const resolved_app *app, char **file)
{
    static const char *const names[] = {"host.so", "kernel.elf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = hd_text_format("%s/%s", app->folder, names[i]);
        digest read;
        if (!digest_of_file(path, &read))
            return fail(file, path);
        sha256_add(hash, read.text, DIGEST_CHARACTERS);
        free(path);
    }
    return 1;
}

int digest_of_app(const resolved_app *app, digest *result, char **file)
{
    sha256 hash;
    sha256_begin(&hash);
    if (!(app->opencl ? add_opencl : add_built)(&hash, app, file))
        return 0;
    *result = sha256_end(&hash);
    return 1;
}
