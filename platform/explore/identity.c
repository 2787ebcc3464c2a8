/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve.h"

/* Whatever it is part of, a library or a program, and however that was started. */
static const char *file_mapped_at(uintptr_t address, arena *memory)
{
    char line[4608];
    const char *found = NULL;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        uintptr_t begin, end;
        const char *path = strchr(line, '/');
        if (path && sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) == 2 && address >= begin && address < end)
            found = arena_copy(memory, path, strcspn(path, "\n"));
    }
    if (maps)
        fclose(maps);
    return found;
}

int program_file_find(program_file *result, arena *memory)
{
    errno = ENOENT;
    result->path = file_mapped_at((uintptr_t)program_file_find, memory);
    return result->path && !stat(result->path, &result->about) && digest_of_file(result->path, &result->digest);
}

int program_file_is_same(const program_file *program)
{
    struct stat now;
    digest digest;
    const struct stat *then = &program->about;
    if (stat(program->path, &now))
        return 0;
    if (now.st_ino == then->st_ino && now.st_size == then->st_size && now.st_mtim.tv_sec == then->st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == then->st_mtim.tv_nsec)
        return 1;
    return digest_of_file(program->path, &digest) && !strcmp(digest.text, program->digest.text);
}

digest digest_of_inputs(const resolution *at, const resolved_point *point)
{
    char seed[24];
    const char *const parts[] = {"heddle.inputs/1",
                                 at->world->version,
                                 at->program.digest.text,
                                 point->machine->digest.text,
                                 point->machine->files.text,
                                 point->app->name,
                                 point->app->files.text,
                                 point->inputs,
                                 seed};
    sha256 hash;
    snprintf(seed, sizeof seed, "%" PRIu64, point->seed);
    sha256_begin(&hash);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sha256_add(&hash, parts[i], strlen(parts[i]) + 1);
    for (uint32_t i = 0; i < point->with_count; i++) {
        const resolved_app *app = point->with[i].app;
        sha256_add(&hash, app->name, strlen(app->name) + 1);
        sha256_add(&hash, app->files.text, strlen(app->files.text) + 1);
    }
    if (point->from)
        sha256_add(&hash, at->from.digest.text, sizeof at->from.digest.text);
    return sha256_end(&hash);
}
