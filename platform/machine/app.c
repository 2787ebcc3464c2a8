/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app_declaration.h"
#include "input_file.h"
#include "library.h"
#include "text.h"

uint8_t *hd_app_read(const char *path, size_t *bytes, char **error)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 16;
    uint8_t *data = NULL;
    *bytes = 0;
    if (!file) {
        *error = hd_text_format("error: %s: %s\n", path, strerror(errno));
        return NULL;
    }
    input_file_note(path);
    do {
        capacity *= 2;
        data = realloc(data, capacity);
        if (!data)
            abort();
        *bytes += fread(data + *bytes, 1, capacity - *bytes, file);
    } while (*bytes == capacity);
    int failed = ferror(file);
    fclose(file);
    if (!failed)
        return data;
    *error = hd_text_format("error: %s: %s\n", path, strerror(errno));
    free(data);
    return NULL;
}

/* A path without '/' would be searched for elsewhere. file: of another instance; NULL: it is the first. */
static void *open_library(const char *folder, int *file, char **error)
{
    char *path = hd_text_format("%s%s/host.so", strchr(folder, '/') ? "" : "./", folder);
    char *reason;
    void *library = file ? hd_library_open_again(path, file, &reason) : hd_library_open(path, &reason);
    if (!library) {
        *error = hd_text_format("error: host program %s: %s\n", path, reason);
        free(reason);
    }
    free(path);
    return library;
}

static uint32_t open_kernels(hd_app *app, const char *folder, const char *file, char **error)
{
    *app = (hd_app){.name = hd_app_declared_name(folder), .elf_path = hd_text_format("%s/%s", folder, file)};
    app->elf = hd_app_read(app->elf_path, &app->elf_bytes, error);
    if (app->elf)
        return 1;
    hd_app_close(app);
    return 0;
}

uint32_t hd_app_open(hd_app *app, const char *folder, char **error)
{
    return open_kernels(app, folder, "kernel.elf", error);
}

uint32_t hd_app_open_movable(hd_app *app, const char *folder, char **error)
{
    if (open_kernels(app, folder, "kernel.movable.elf", error))
        return 1;
    char *why = *error;
    *error =
        hd_text_format("%s  an app that runs beside another has this file, which heddle_app() and `heddle run FOLDER` "
                       "make\n",
                       why);
    free(why);
    return 0;
}

static uint32_t find_entry(hd_app *app, const char *folder, char **error)
{
    if (!app->library)
        return 0;
    *(void **)&app->entry = dlsym(app->library, "hd_app_main");
    if (app->entry)
        return 1;
    *error = hd_text_format("error: host program %s/host.so: it has no function hd_app_main\n", folder);
    return 0;
}

uint32_t hd_app_open_library(hd_app *app, const char *folder, char **error)
{
    app->library = open_library(folder, NULL, error);
    return find_entry(app, folder, error);
}

uint32_t hd_app_open_library_again(hd_app *app, const char *folder, char **error)
{
    dlclose(app->library);
    app->library = open_library(folder, &app->library_file, error);
    return find_entry(app, folder, error);
}

void hd_app_close(hd_app *app)
{
    if (app->library)
        dlclose(app->library);
    if (app->library_file)
        close(app->library_file);
    free(app->elf);
    free(app->elf_path);
    free(app->name);
    *app = (hd_app){0};
}
