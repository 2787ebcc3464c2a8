/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "new.h"
#include "text.h"

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

static int write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "wx");
    if (!out)
        return say(path);
    int good = fputs(text, out) >= 0;
    good = fclose(out) == 0 && good;
    return good ? 1 : say(path);
}

int template_copy_file(const char *folder, const char *name, const char *target, const template_word *words,
                       size_t count)
{
    char *from = hd_text_format("%s/%s", folder, name);
    char *own_name = template_fill(name, words, count);
    char *to = hd_text_format("%s/%s", target, own_name);
    char *text = template_read(from);
    char *filled = text ? template_fill(text, words, count) : NULL;
    int good = filled ? write_file(to, filled) : say(from);
    free(filled);
    free(text);
    free(to);
    free(own_name);
    free(from);
    return good;
}

int template_copy(const char *folder, const char *target, const template_word *words, size_t count)
{
    DIR *files = opendir(folder);
    int good = 1;
    if (!files)
        return say(folder);
    if (mkdir(target, 0777))
        good = say(target);
    for (struct dirent *entry; good && (entry = readdir(files));)
        if (entry->d_name[0] != '.')
            good = template_copy_file(folder, entry->d_name, target, words, count);
    closedir(files);
    return good;
}
