/* SPDX-License-Identifier: MIT */
#include "cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"
#include "programs.h"
#include "temporary_file.h"
#include "work_folder.h"

#define FILE_LOG "log"
#define FILE_DIGESTS "digests" /* a line for each included file: digest, path */

/* ---- What a result depends on ---------------------------------------------------------------------------------------- */

/* Length first: two texts are never taken for two others. */
static void hash_bytes(sha256 *hash, const void *data, size_t bytes)
{
    const uint64_t length = bytes;
    sha256_add(hash, &length, sizeof length);
    sha256_add(hash, data, bytes);
}

static void hash_text(sha256 *hash, const char *text)
{
    hash_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

/* A program or library that has been replaced has another size or time. */
static void hash_state(sha256 *hash, const char *path)
{
    struct stat status;
    uint64_t state[3] = {0};
    if (!stat(path, &status)) {
        state[0] = (uint64_t)status.st_size;
        state[1] = (uint64_t)status.st_mtim.tv_sec;
        state[2] = (uint64_t)status.st_mtim.tv_nsec;
    }
    hash_text(hash, path);
    hash_bytes(hash, state, sizeof state);
}

/* Another number when compilers are called in another way, so that what was kept before does not count. */
#define WAY_OF_COMPILING 4u

digest cache_key(const compilation *c)
{
    static const char *const programs[] = {PROGRAM_CLANG, PROGRAM_SPIRV, PROGRAM_LINK,
                                           PROGRAM_OPT,   PROGRAM_LLC,   PROGRAM_LD};
    static const char *const files[] = {"library.bc", "kernel.ld", LIBRARY_KERNEL};
    const kernelc_input *input = c->input;
    char own[16] = "";
    sha256 hash;
    sha256_begin(&hash);
    snprintf(own, sizeof own, "%u %u", KERNELC_FORMAT, WAY_OF_COMPILING);
    hash_text(&hash, own);
    hash_text(&hash, PROGRAM_VERSION);
    hash_state(&hash, own_file());
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        hash_state(&hash, programs[i]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        hash_state(&hash, arena_format(c->memory, "%s/%s", c->files, files[i]));
    if (input->is_cuda)
        hash_state(&hash, arena_format(c->memory, "%s/library.bc", c->cuda_files));
    for (uint32_t i = 0; input->is_cuda && i < c->options.count; i++)
        hash_text(&hash, c->options.words[i]);
    hash_text(&hash, input->name);
    hash_text(&hash, input->options);
    if (!input->object_count)
        hash_bytes(&hash, input->data, input->bytes);
    hash_text(&hash, input->is_compiled_only ? "object" : "");
    for (size_t i = 0; i < input->object_count; i++)
        hash_bytes(&hash, input->objects[i].data, input->objects[i].bytes);
    for (size_t i = 0; i < input->header_count; i++) {
        hash_text(&hash, input->headers[i].name);
        hash_text(&hash, input->headers[i].text);
    }
    return sha256_end(&hash);
}

/* ---- Folders --------------------------------------------------------------------------------------------------------- */

/* NULL: nothing is kept. */
static const char *cache_folder(const compilation *c)
{
    const char *given = c->input->cache, *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (given)
        return *given ? given : NULL;
    if (cache && *cache == '/')
        return arena_format(c->memory, "%s/heddle/opencl", cache);
    return home && *home ? arena_format(c->memory, "%s/.cache/heddle/opencl", home) : NULL;
}

/* Are the files that were included what they were? */
static int is_current(const compilation *c, const char *folder)
{
    size_t bytes;
    char *list = file_read(c->memory, arena_format(c->memory, "%s/" FILE_DIGESTS, folder), &bytes);
    if (!list)
        return 0;
    for (char *line; (line = strsep(&list, "\n")) && *line;) {
        digest now;
        if (strlen(line) <= DIGEST_CHARACTERS || !digest_of_file(line + DIGEST_CHARACTERS + 1, &now) ||
            memcmp(now.text, line, DIGEST_CHARACTERS) != 0)
            return 0;
    }
    return 1;
}

/* Out of the arena. */
static void *copy(const void *data, size_t bytes)
{
    void *made = malloc(bytes + 1);
    if (!made)
        abort();
    memcpy(made, data, bytes + 1);
    return made;
}

int cache_find(const compilation *c, digest key, kernelc_output *output)
{
    const char *cache = cache_folder(c);
    const char *folder = cache ? arena_format(c->memory, "%s/%s", cache, key.text) : NULL;
    size_t bytes, log_bytes;
    const char *image, *log;
    if (!folder || !is_current(c, folder))
        return 0;
    image = file_read(c->memory, arena_format(c->memory, "%s/" FILE_IMAGE, folder), &bytes);
    log = file_read(c->memory, arena_format(c->memory, "%s/" FILE_LOG, folder), &log_bytes);
    if (!image || !log)
        return 0;
    *output = (kernelc_output){.image = copy(image, bytes),
                               .bytes = bytes,
                               .log = log_bytes ? copy(log, log_bytes) : NULL,
                               .is_from_cache = 1};
    return 1;
}

/* ---- Keeping --------------------------------------------------------------------------------------------------------- */

/* The next file of a rule of make, "program: a b \<newline> c"; NULL: no more. A space in a name has a backslash before it. */
static char *next_input(char **rest)
{
    char *at = *rest, *from, *to;
    while (*at == ' ' || *at == '\n' || (*at == '\\' && at[1] == '\n'))
        at += *at == '\\' ? 2 : 1;
    if (!*at)
        return NULL;
    for (from = to = at; *at && *at != ' ' && *at != '\n'; at++) {
        if ((at[0] == '\\' && (at[1] == ' ' || at[1] == '#')) || (at[0] == '$' && at[1] == '$'))
            at++;
        *to++ = *at;
    }
    *rest = *at ? at + 1 : at;
    *to = '\0';
    return from;
}

/* 0: one of them cannot be told by a line. */
static int write_digests(const compilation *c, const char *folder)
{
    size_t bytes;
    hd_text lines = {0};
    char *path, *rule = file_read(c->memory, arena_format(c->memory, "%s/" FILE_INPUTS, c->folder), &bytes);
    const int includes_nothing = c->input->is_spirv || c->input->object_count;
    char *rest = includes_nothing ? ":" : rule ? strchr(rule, ':') : NULL;
    int is_told = rest != NULL;
    rest = rest ? rest + 1 : NULL;
    while (is_told && (path = next_input(&rest))) {
        digest of;
        if (!strncmp(path, c->folder, strlen(c->folder)))
            continue; /* of the key */
        is_told = digest_of_file(path, &of);
        hd_text_add(&lines, "%s %s\n", of.text, path);
    }
    char *text = hd_text_take(&lines);
    is_told = is_told && file_write(arena_format(c->memory, "%s/" FILE_DIGESTS, folder), text, strlen(text));
    free(text);
    return is_told;
}

/* Written beside, then renamed: what is in the cache is complete. */
void cache_keep(const compilation *c, digest key, const char *log)
{
    const char *cache = cache_folder(c);
    size_t bytes;
    const char *image = file_read(c->memory, arena_format(c->memory, "%s/" FILE_IMAGE, c->folder), &bytes);
    if (!cache || !image || !folder_make(cache))
        return;
    char *beside = temporary_folder_create(arena_format(c->memory, "%s/", cache));
    const char *folder = arena_format(c->memory, "%s/%s", cache, key.text);
    if (!beside)
        return;
    const int is_whole = file_write(arena_format(c->memory, "%s/" FILE_IMAGE, beside), image, bytes) &&
                         file_write(arena_format(c->memory, "%s/" FILE_LOG, beside), log, strlen(log)) &&
                         write_digests(c, beside);
    if (is_whole && !is_current(c, folder))
        folder_remove(folder); /* of files that have changed since */
    if (!is_whole || !temporary_file_rename(beside, folder))
        temporary_folder_remove(beside);
}
