/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "new.h"
#include "temporary_file.h"
#include "text.h"
#include "write_all.h"

static const template_word *word_at(const char *text, const template_word *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(text, words[i].name, strlen(words[i].name)) == 0)
            return &words[i];
    return NULL;
}

char *template_fill(const char *text, const template_word *words, size_t count)
{
    char *filled = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&filled, &bytes);
    if (!out)
        abort();
    while (*text) {
        const template_word *word = *text == '@' ? word_at(text, words, count) : NULL;
        if (word)
            fputs(word->value, out);
        else
            fputc(*text, out);
        text += word ? strlen(word->name) : 1;
    }
    fclose(out);
    return filled;
}

char *template_read(const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *in = fopen(path, "r"), *out = in ? open_memstream(&text, &bytes) : NULL;
    if (!out)
        return NULL;
    for (int character; (character = fgetc(in)) != EOF;)
        fputc(character, out);
    fclose(out);
    fclose(in);
    return text;
}

static int say(const char *path)
{
    hd_usage_error(NULL, NULL, 0, "%s: %s", path, strerror(errno));
    return 0;
}

int made_files_end(made_files *made, int good)
{
    while (made->count) {
        char *path = made->paths[--made->count];
        if (good)
            temporary_file_keep(path);
        else
            temporary_file_remove(path);
    }
    return good;
}

static void add_made(made_files *made, const char *path)
{
    if (made->count == MADE_MAX)
        abort();
    made->paths[made->count++] = temporary_file_note(path);
}

/* Another one of that name stays as it is. */
static int write_file(made_files *made, const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return say(path);
    add_made(made, path);
    const int is_written = hd_write_all(file, text, strlen(text)) && !fsync(file), why = errno;
    const int is_closed = !close(file);
    if (!is_written)
        errno = why;
    return (is_written && is_closed) || say(path);
}

int template_copy_file(made_files *made, const char *folder, const char *name, const char *target,
                       const template_word *words, size_t count)
{
    char *from = hd_text_format("%s/%s", folder, name);
    char *own_name = template_fill(name, words, count);
    char *to = hd_text_format("%s/%s", target, own_name);
    char *text = template_read(from);
    char *filled = text ? template_fill(text, words, count) : NULL;
    int good = filled ? write_file(made, to, filled) : say(from);
    free(filled);
    free(text);
    free(to);
    free(own_name);
    free(from);
    return good;
}

int template_add(made_files *made, const char *folder, const char *target, const template_word *words, size_t count)
{
    DIR *files = opendir(folder);
    int good = 1;
    if (!files)
        return say(folder);
    for (struct dirent *entry; good && (entry = readdir(files));)
        if (entry->d_name[0] != '.')
            good = template_copy_file(made, folder, entry->d_name, target, words, count);
    closedir(files);
    return good;
}

int made_folder(made_files *made, const char *path)
{
    if (mkdir(path, 0777))
        return say(path);
    add_made(made, path);
    return 1;
}

int template_copy(made_files *made, const char *folder, const char *target, const template_word *words, size_t count)
{
    return made_folder(made, target) && template_add(made, folder, target, words, count);
}
