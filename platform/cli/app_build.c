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
#include <time.h>
#include <unistd.h>

#include "app_inputs.h"
#include "command.h"
#include "folders.h"
#include "opencl_app.h"
#include "other_program.h"
#include "temporary_file.h"
#include "text.h"

#define BUILDS_MAX 3 /* of one start: as long as sources change while they are compiled */

static int has_file(const char *folder, const char *name)
{
    char *path = hd_text_format("%s/%s", folder, name);
    int is_there = !access(path, R_OK);
    free(path);
    return is_there;
}

static int is_source(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".S") || !strcmp(dot, ".yaml"));
}

/* Of what goes into every app: headers, linker scripts, the library of firmware. */
static uint64_t hash_inputs(uint64_t hash, const char *script)
{
    const char *const words[] = {script, "--inputs", NULL};
    char *output, *rest, *line;
    program_run(words, &output);
    for (rest = output; (line = strsep(&rest, "\n"));)
        if (*line)
            hash = hd_app_hash_file(hash, line);
    free(output);
    return hash;
}

/* Of where the sources lie, what lies directly there, and how they are built: all that is known before a compiler has read them. */
static uint64_t hash_sources(const char *folder, const char *script)
{
    struct dirent **entries;
    uint64_t hash = hash_inputs(hd_app_hash_file(hd_app_hash_text(HD_FNV_START, folder), script), script);
    int count = scandir(folder, &entries, is_source, alphasort);
    for (int i = 0; i < count; i++) {
        char *path = hd_text_format("%s/%s", folder, entries[i]->d_name);
        hash = hd_app_hash_file(hd_app_hash_text(hash, entries[i]->d_name), path);
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

/* What the script makes. */
static const char *const outputs[] = {
    "kernel.o", "kernel.elf", "kernel.movable.elf", "host.so",      "firmware.o", "kernel.d",  "host.d",
    "tools",    "firmware.d", "app.yaml",           "firmware.elf", "assembly.o", "assembly.d"};
#define OUTPUTS (sizeof outputs / sizeof *outputs)

/* A folder and what comes to be in it: nothing is left if a signal ends the process. */
typedef struct build_folder {
    char *noted[1 + OUTPUTS];
} build_folder;

static build_folder begin_folder(const char *path)
{
    build_folder folder = {{temporary_file_note(path)}};
    for (size_t i = 0; i < OUTPUTS; i++) {
        char *output = hd_text_format("%s/%s", path, outputs[i]);
        folder.noted[1 + i] = temporary_file_note(output);
        free(output);
    }
    return folder;
}

/* What has been renamed is there no more. */
static void remove_folder(build_folder *folder)
{
    for (size_t i = 1 + OUTPUTS; i-- > 0;)
        temporary_file_remove(folder->noted[i]);
}

/* The folder of the app is that of its name: what is built keeps the name of the sources. NULL: it is not known. */
static char *built_folder(const char *cache, const char *source, const char *inputs)
{
    const uint64_t hash = inputs ? hd_app_inputs_hash(inputs) : 0;
    return hash ? hd_text_format("%s/%016llx/%s", cache, (unsigned long long)hash, strrchr(source, '/') + 1) : NULL;
}

/* What is beside becomes the app of what it was built from. Returns its folder, NULL if that fails. */
static char *keep(const char *cache, const char *source, const char *beside, const char *inputs)
{
    char *list = hd_text_format("%s/inputs", cache), *output = built_folder(cache, source, inputs);
    if (output) {
        *strrchr(output, '/') = '\0';
        folder_make(output);
        output[strlen(output)] = '/';
    }
    if (!output || !hd_app_inputs_write(list, inputs) || (rename(beside, output) && !has_file(output, "host.so"))) {
        hd_usage_error(NULL, NULL, 0, "%s: %s", output ? output : cache, strerror(errno));
        free(output);
        output = NULL;
    }
    free(list);
    return output;
}

/* Compiles into a new folder. Returns what has been read, to be freed; NULL if it failed, which has been said. */
static char *compile(const char *script, const char *source, char *beside)
{
    char *inputs = NULL;
    struct timespec start;
    for (int i = 0; i < BUILDS_MAX; i++) {
        free(inputs);
        inputs = NULL;
        clock_gettime(CLOCK_REALTIME, &start);
        if (!folder_make(beside))
            hd_usage_error(NULL, NULL, 0, "%s: %s", beside, strerror(errno));
        else if (!run_script(script, source, beside))
            hd_usage_error(NULL, NULL, 0, "app %s: it cannot be built", source);
        else
            inputs = hd_app_inputs_of_build(beside);
        if (!inputs || !hd_app_inputs_changed_since(inputs, start))
            break;
    }
    return inputs;
}

/* Built beside, then renamed: what is in the cache is complete. */
static char *build(const char *script, const char *source, const char *cache)
{
    char *beside = hd_text_format("%s/%ld", cache, (long)getpid()), *output = NULL;
    build_folder folder = begin_folder(beside);
    char *inputs = compile(script, source, beside);
    if (inputs)
        output = keep(cache, source, beside, inputs);
    remove_folder(&folder);
    free(inputs);
    free(beside);
    return output;
}

/* Built now, unless that has been done from the same. */
static char *find_or_build(const char *script, const char *source)
{
    char *cache = cache_folder(hash_sources(source, script)), *list = hd_text_format("%s/inputs", cache);
    char *inputs = hd_app_inputs_read(list), *output = built_folder(cache, source, inputs);
    if (!output || !has_file(output, "host.so")) {
        free(output);
        output = build(script, source, cache);
    }
    free(inputs);
    free(list);
    free(cache);
    return output;
}

char *hd_app_ready(char *folder)
{
    return hd_opencl_app_is_at(folder) ? folder : hd_app_build(folder);
}

char *hd_app_build(char *folder)
{
    char *script = NULL, *source = NULL, *output = NULL;
    if (has_file(folder, "kernel.elf") || has_file(folder, "host.so"))
        return folder;
    if (!has_file(folder, "kernel.c") || !has_file(folder, "host.c")) {
        hd_usage_error(NULL, NULL, 0,
                       hd_opencl_app_is_at(folder)
                           ? "app %s: it is an OpenCL program, and has no kernels before it runs"
                           : "app %s: it needs host.c and kernel.c, or host.so and kernel.elf",
                       folder);
        free(folder);
        return NULL;
    }
    script = script_path();
    source = realpath(folder, NULL);
    if (script && source) {
        output = find_or_build(script, source);
    } else {
        hd_usage_error(NULL, NULL, 0, "app %s: it is not built, and there is no build_app.sh to build it", folder);
    }
    free(script);
    free(source);
    free(folder);
    return output;
}
