/* SPDX-License-Identifier: MIT */
#include "app_build.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "input_file.h"
#include "other_program.h"
#include "text.h"

#define HASH_START UINT64_C(0xCBF29CE484222325) /* FNV-1a */
#define HASH_FACTOR UINT64_C(0x100000001B3)

static int has_file(const char *folder, const char *name)
{
    char *path = hd_text_format("%s/%s", folder, name);
    int is_there = !access(path, R_OK);
    free(path);
    return is_there;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * HASH_FACTOR;
    while (*text++);
    return hash;
}

static uint64_t hash_file(uint64_t hash, const char *path)
{
    FILE *file = fopen(path, "rb");
    input_file_note(path);
    for (int c; file && (c = getc(file)) != EOF;)
        hash = (hash ^ (unsigned char)c) * HASH_FACTOR;
    if (file)
        fclose(file);
    return hash;
}

static int is_source(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".yaml"));
}

/* Of what goes into every app: headers, linker scripts, the library of firmware. */
static uint64_t hash_inputs(uint64_t hash, const char *script)
{
    const char *const words[] = {script, "--inputs", NULL};
    char *output, *rest, *line;
    program_run(words, &output);
    for (rest = output; (line = strsep(&rest, "\n"));)
        if (*line)
            hash = hash_file(hash, line);
    free(output);
    return hash;
}

/* Of where the sources lie, what they are, and how they are built. */
static uint64_t hash_sources(const char *folder, const char *script)
{
    struct dirent **entries;
    uint64_t hash = hash_inputs(hash_file(hash_text(HASH_START, folder), script), script);
    int count = scandir(folder, &entries, is_source, alphasort);
    for (int i = 0; i < count; i++) {
        char *path = hd_text_format("%s/%s", folder, entries[i]->d_name);
        hash = hash_file(hash_text(hash, entries[i]->d_name), path);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return hash;
}

static char *script_path(void)
{
    static const char *const places[] = {"build_app.sh", "../share/heddle/firmware/build_app.sh"};
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(own, '/');
    for (size_t i = 0; slash && i < 2; i++) {
        char *path = hd_text_format("%.*s/%s", (int)(slash - own), own, places[i]);
        if (!access(path, X_OK))
            return path;
        free(path);
    }
    return NULL;
}

/* With its parents. Returns 0 if that is not possible. */
static int make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0777) && errno != EEXIST;
        *slash = '/';
        if (failed)
            return 0;
    }
    return !mkdir(path, 0777) || errno == EEXIST;
}

static char *cache_folder(uint64_t hash)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        return hd_text_format("%s/heddle/apps/%016llx", cache, (unsigned long long)hash);
    return hd_text_format("%s/.cache/heddle/apps/%016llx", home && *home ? home : "/tmp", (unsigned long long)hash);
}

static int run_script(const char *script, const char *source, const char *output)
{
    const char *const words[] = {script, source, output, NULL};
    pid_t child;
    if (program_start(words, (const int[3]){STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}, &child))
        return program_wait(child) == 0;
    hd_usage_error(NULL, NULL, 0, "%s cannot be started: %s", script, strerror(errno));
    return 0;
}

static void remove_output(const char *folder)
{
    static const char *const names[] = {"kernel.o", "kernel.elf", "host.so", "firmware.o", "firmware.elf", "app.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = hd_text_format("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
    rmdir(folder);
}

/* Built beside, then renamed: what is in the cache is complete. */
static int build(const char *script, const char *source, const char *output)
{
    char *beside = hd_text_format("%.*s/.%ld", (int)(strrchr(output, '/') - output), output, (long)getpid());
    int good = make_folders(beside);
    if (!good)
        hd_usage_error(NULL, NULL, 0, "%s: %s", beside, strerror(errno));
    else if (!run_script(script, source, beside))
        good = hd_usage_error(NULL, NULL, 0, "app %s: it cannot be built", source) == HD_EXIT_PASS;
    if (good && rename(beside, output) && !has_file(output, "host.so"))
        good = hd_usage_error(NULL, NULL, 0, "%s: %s", output, strerror(errno)) == HD_EXIT_PASS;
    if (!good || has_file(output, "host.so"))
        remove_output(beside);
    free(beside);
    return good;
}

/* The folder of the app is that of its name: what is built keeps the name of the sources. */
static char *built_folder(const char *source, uint64_t hash)
{
    char *cache = cache_folder(hash), *folder = hd_text_format("%s/%s", cache, strrchr(source, '/') + 1);
    free(cache);
    return folder;
}

char *hd_app_build(char *folder)
{
    char *script = NULL, *source = NULL, *output = NULL;
    if (has_file(folder, "kernel.elf") || has_file(folder, "host.so"))
        return folder;
    if (!has_file(folder, "kernel.c") || !has_file(folder, "host.c")) {
        hd_usage_error(NULL, NULL, 0, "app %s: it needs host.c and kernel.c, or host.so and kernel.elf", folder);
        free(folder);
        return NULL;
    }
    script = script_path();
    source = realpath(folder, NULL);
    if (script && source) {
        output = built_folder(source, hash_sources(source, script));
        if (!has_file(output, "host.so") && !build(script, source, output)) {
            free(output);
            output = NULL;
        }
    } else {
        hd_usage_error(NULL, NULL, 0, "app %s: it is not built, and there is no build_app.sh to build it", folder);
    }
    free(script);
    free(source);
    free(folder);
    return output;
}
