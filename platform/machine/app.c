/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A path without '/' would be searched for elsewhere. */
static void *open_library(const char *folder, char **error)
{
    char *path = hd_text_format("%s%s/host.so", strchr(folder, '/') ? "" : "./", folder);
    char *reason;
    void *library = hd_library_open(path, &reason);
    if (!library) {
        *error = hd_text_format("error: host program %s: %s\n", path, reason);
        free(reason);
    }
    free(path);
    return library;
}

uint32_t hd_app_open(hd_app *app, const char *folder, char **error)
{
    *app = (hd_app){.name = hd_app_declared_name(folder), .elf_path = hd_text_format("%s/kernel.elf", folder)};
    app->elf = hd_app_read(app->elf_path, &app->elf_bytes, error);
    if (app->elf)
        return 1;
    hd_app_close(app);
    return 0;
}

uint32_t hd_app_open_library(hd_app *app, const char *folder, char **error)
{
    app->library = open_library(folder, error);
    if (!app->library)
        return 0;
    *(void **)&app->entry = dlsym(app->library, "hd_app_main");
    if (app->entry)
        return 1;
    *error = hd_text_format("error: host program %s/host.so: it has no function hd_app_main\n", folder);
    return 0;
}

void hd_app_close(hd_app *app)
{
    if (app->library)
        dlclose(app->library);
    free(app->elf);
    free(app->elf_path);
    free(app->name);
    *app = (hd_app){0};
}
