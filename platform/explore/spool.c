/* SPDX-License-Identifier: MIT */
#include "spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_file.h"
#include "text.h"
#include "whole_file.h"
#include "write_all.h"

#define ROOM_BYTES (1u << 20)

static int failed(const char *path, char **error)
{
    *error = hd_text_format("error: %s cannot be written: %s\n", path, output_file_reason(errno));
    return 0;
}

char *spool_path(const spool *opened, const char *name, const char *end)
{
    return hd_text_format("%s/%s%s", opened->folder, name, end);
}

int spool_has(const spool *opened, const char *name, const char *end)
{
    char *path = spool_path(opened, name, end);
    int is_there = !access(path, F_OK);
    free(path);
    return is_there;
}

void spool_remove(const spool *opened, const char *name, const char *end)
{
    char *path = spool_path(opened, name, end);
    unlink(path);
    free(path);
}

int spool_write(const spool *opened, const char *name, const char *end, const char *text, char **error)
{
    char *path = spool_path(opened, name, end);
    int good = hd_whole_file_write(path, text, strlen(text)) || failed(path, error);
    free(path);
    return good;
}

int spool_check_room(const spool *opened, char **error)
{
    char *path = spool_path(opened, "room", ""), *zeros = calloc(1, ROOM_BYTES);
    if (!zeros)
        abort();
    int good = hd_whole_file_write(path, zeros, ROOM_BYTES) || failed(opened->folder, error);
    unlink(path);
    free(zeros);
    free(path);
    return good;
}

static size_t skip_to_end(FILE *file, size_t most)
{
    struct stat about;
    if (fstat(fileno(file), &about))
        return 0;
    size_t bytes = (size_t)about.st_size;
    if (bytes <= most)
        return bytes;
    fseek(file, (long)(bytes - most), SEEK_SET);
    return most;
}

char *spool_read(const spool *opened, const char *name, const char *end, size_t most, size_t *bytes)
{
    char *path = spool_path(opened, name, end);
    FILE *file = fopen(path, "rb");
    free(path);
    if (!file)
        return NULL;
    size_t room = skip_to_end(file, most);
    char *text = calloc(1, room + 1);
    if (!text)
        abort();
    size_t got = fread(text, 1, room, file);
    fclose(file);
    if (bytes)
        *bytes = got;
    return text;
}

/* ---- Open and close -------------------------------------------------------------------------------------------------- */

/* Whose it is: "process 4711 on host". */
static char *holder(int lock)
{
    char text[256] = "";
    ssize_t bytes = pread(lock, text, sizeof text - 1, 0);
    text[bytes > 0 ? bytes : 0] = '\0';
    return hd_text_format("%s", text);
}

/* A file that was removed meanwhile holds nobody off. */
static int is_in_place(const char *path, int file)
{
    struct stat there, here;
    return !stat(path, &there) && !fstat(file, &here) && there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

static int take_lock(spool *opened, const char *store, char **error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char host[128] = "", *path = spool_path(opened, "lock", "");
    opened->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (opened->lock < 0 && errno == ELOOP)
        *error = hd_text_format("error: %s: it is a link, and no lock of a sweep\n", path);
    else if (opened->lock < 0)
        failed(path, error);
    const int is_held = opened->lock >= 0 && fcntl(opened->lock, F_SETLK, &whole), why = errno;
    const int is_gone = opened->lock >= 0 && !is_held && !is_in_place(path, opened->lock);
    free(path);
    if (opened->lock < 0)
        return 0;
    errno = why;
    if (is_gone) {
        *error = hd_text_format("error: store %s: a sweep is using it: it ends just now\n", store);
        return 0;
    }
    if (is_held) {
        char *whose = holder(opened->lock);
        *error = errno == EAGAIN || errno == EACCES
                     ? hd_text_format("error: store %s: a sweep is using it: %s\n", store, whose)
                     : hd_text_format("error: %s/lock: %s\n", opened->folder, strerror(errno));
        free(whose);
        return 0;
    }
    gethostname(host, sizeof host - 1);
    char *text = hd_text_format("process %ld on %s", (long)getpid(), host);
    int good = !ftruncate(opened->lock, 0) && hd_write_all(opened->lock, text, strlen(text));
    free(text);
    return good || failed(opened->folder, error);
}

/* What is in the folder is removed in the end: it has to be a sweep's own. */
static int make_folder(const char *path, char **error)
{
    struct stat about;
    if (mkdir(path, 0777) && errno != EEXIST)
        return failed(path, error);
    if (!lstat(path, &about) && S_ISDIR(about.st_mode))
        return 1;
    *error = hd_text_format("error: %s: it is no folder of a sweep\n", path);
    return 0;
}

/* Beside the store itself, by whatever link it was named: there is one lock for it. */
static char *folder_of(const char *store)
{
    char *whole = realpath(store, NULL), *path = hd_text_format("%s.runs", whole ? whole : store);
    free(whole);
    return path;
}

int spool_open(spool *opened, const char *store, char **error)
{
    char *path = folder_of(store);
    *opened = (spool){.lock = -1};
    if (make_folder(path, error)) {
        opened->folder = realpath(path, NULL);
        if (!opened->folder)
            failed(path, error);
    }
    free(path);
    if (opened->folder && take_lock(opened, store, error))
        return 1;
    if (opened->lock >= 0)
        close(opened->lock);
    free(opened->folder);
    *opened = (spool){.lock = -1};
    return 0;
}

static void remove_all(const spool *opened)
{
    char **names = spool_list(opened, "");
    for (char **name = names; *name; name++)
        spool_remove(opened, *name, "");
    spool_free_names(names);
    rmdir(opened->folder);
}

void spool_close(spool *opened, int is_done)
{
    if (is_done)
        remove_all(opened);
    close(opened->lock);
    free(opened->folder);
    *opened = (spool){.lock = -1};
}

/* ---- Lists ----------------------------------------------------------------------------------------------------------- */

char **spool_list(const spool *opened, const char *end)
{
    size_t count = 0, end_bytes = strlen(end);
    char **names = calloc(1, sizeof *names);
    DIR *folder = opendir(opened->folder);
    for (struct dirent *item; names && folder && (item = readdir(folder));) {
        size_t bytes = strlen(item->d_name);
        if (bytes <= end_bytes || strcmp(item->d_name + bytes - end_bytes, end) != 0)
            continue;
        names = realloc(names, (count + 2) * sizeof *names);
        if (!names)
            break;
        names[count++] = hd_text_format("%.*s", (int)(bytes - end_bytes), item->d_name);
        names[count] = NULL;
    }
    if (!names)
        abort();
    if (folder)
        closedir(folder);
    return names;
}

void spool_free_names(char **names)
{
    for (char **name = names; *name; name++)
        free(*name);
    free(names);
}
