/* SPDX-License-Identifier: MIT */
#include "folder.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *text_of(const char *format, ...)
{
    va_list arguments;
    char *text = malloc(4096);
    cr_assert(text);
    va_start(arguments, format);
    cr_assert(vsnprintf(text, 4096, format, arguments) < 4096);
    va_end(arguments);
    return text;
}

char *path_in(const char *folder, const char *name)
{
    return text_of("%s/%s", folder, name);
}

char *folder_new(void)
{
    const char *parent = getenv("TMPDIR");
    char *folder = text_of("%s/heddle-test.XXXXXX", parent ? parent : "/tmp");
    cr_assert(mkdtemp(folder), "no temporary folder %s", folder);
    return folder;
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

void folder_remove(char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_entry, alphasort);
    for (int i = 0; i < count; i++) {
        char *path = path_in(folder, entries[i]->d_name);
        struct stat about;
        if (!lstat(path, &about) && S_ISDIR(about.st_mode)) {
            folder_remove(path);
        } else {
            unlink(path);
            free(path);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    rmdir(folder);
    free(folder);
}

char *folder_list(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_entry, alphasort);
    char *list = calloc(1, 4096);
    cr_assert(list && count >= 0, "no folder %s", folder);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, 4096 - used, "%s ", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return list;
}

char *file_read(const char *path, size_t *bytes)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    cr_assert(!fstat(fileno(file), &about));
    char *data = calloc(1, (size_t)about.st_size + 1);
    cr_assert(data);
    size_t got = fread(data, 1, (size_t)about.st_size, file);
    fclose(file);
    if (bytes)
        *bytes = got;
    return data;
}

void file_write(const char *path, const char *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file, "%s cannot be written", path);
    cr_assert(fwrite(data, 1, bytes, file) == bytes && !fclose(file));
}

void file_copy(const char *from, const char *to)
{
    size_t bytes;
    char *data = file_read(from, &bytes);
    cr_assert(data, "%s cannot be read", from);
    file_write(to, data, bytes);
    free(data);
}
