/* SPDX-License-Identifier: MIT */
#include "job.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"
#include "yaml_text.h"

extern char **environ;

/* Where programs, libraries and apps are found, and what sanitizers were told; nothing else. */
static const char *const variables[] = {"PATH",           "HOME",          "TMPDIR",          "LD_LIBRARY_PATH",
                                        "HEDDLE_PLUGINS", "HEDDLE_APPS",   "HEDDLE_MACHINES", "HEDDLE_PROGRAMS",
                                        "ASAN_OPTIONS",   "UBSAN_OPTIONS", "LSAN_OPTIONS",    "TSAN_OPTIONS",
                                        "XDG_CACHE_HOME"};
#define VARIABLES (sizeof variables / sizeof *variables)
#define FIXED_WORDS 11u

void job_fill(job *one, const resolution *of, uint32_t position, uint32_t repetition)
{
    *one = (job){.point = &of->points[position],
                 .position = position,
                 .repetition = repetition,
                 .exit_code = -1,
                 .user_seconds = -1,
                 .peak_bytes = -1};
    snprintf(one->name, sizeof one->name, "%s-%u", one->point->key.text, repetition + 1);
}

static char *executable(void)
{
    char path[PATH_MAX];
    ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 1);
    return bytes > 0 ? hd_text_format("%.*s", (int)bytes, path) : hd_text_format("heddle");
}

/* A file that a block takes its parameters from is named from the file of the sweep; the run's words from where it runs. */
static char *value_of(const netlist_setting *setting)
{
    const char *path = setting->path->text, *value = setting->value->text, *file = setting->value->at.source->name;
    const char *last = strrchr(path, '.'), *slash = strrchr(file, '/');
    if (!last || strcmp(last, ".parameters_from") != 0 || !slash || *value == '/')
        return hd_text_format("%s", value);
    return hd_text_format("%.*s/%s", (int)(slash - file), file, value);
}

/* "path=value", the value as YAML. */
static char *netlist_word(const netlist_setting *setting)
{
    char *text, *value = value_of(setting);
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    fprintf(out, "%s=", setting->path->text);
    yaml_write_text(value, out);
    fclose(out);
    free(value);
    return text;
}

static size_t words_beside(const resolved_point *point)
{
    size_t count = 0;
    for (uint32_t i = 0; i < point->with_count; i++)
        count += 2 + 2 * point->with[i].option_count;
    return count;
}

static char *folder_word(const resolved_app *app)
{
    return hd_text_format("%s%s", strchr(app->folder, '/') ? "" : "./", app->folder);
}

static size_t add_beside(const resolved_point *point, char **words, size_t count)
{
    for (uint32_t i = 0; i < point->with_count; i++) {
        const resolved_beside *with = &point->with[i];
        words[count++] = hd_text_format("--with");
        words[count++] = folder_word(with->app);
        for (uint32_t k = 0; k < with->option_count; k++) {
            words[count++] = hd_text_format("--set");
            words[count++] = hd_text_format("app%u.%s=%s", i + 2, with->options[k].name, with->options[k].value);
        }
    }
    return count;
}

/* What begins at 0 is told what else it is. */
static void add_what_runs(const resolved_point *point, char **words, size_t count)
{
    for (uint32_t i = 0; i < point->option_count; i++) {
        words[count++] = hd_text_format("--set");
        words[count++] = hd_text_format("app.%s=%s", point->options[i].name, point->options[i].value);
    }
    count = add_beside(point, words, count);
    words[count++] = hd_text_format("--");
    words[count++] = hd_text_format("%s", point->machine->path);
    if (point->app->folder)
        words[count] = folder_word(point->app);
}

char **job_words(const job *of, const spool *spool)
{
    const resolved_point *point = of->point;
    const resolved_machine *machine = point->machine;
    size_t count = 0;
    char **words =
        calloc(FIXED_WORDS + 2 * (machine->setting_count + point->option_count) + words_beside(point), sizeof *words);
    if (!words)
        abort();
    words[count++] = executable();
    words[count++] = hd_text_format("run");
    words[count++] = hd_text_format("--quiet");
    if (!point->from)
        words[count++] = hd_text_format("--seed=%" PRIu64, point->seed);
    char *results = spool_path(spool, of->name, ".json");
    words[count++] = hd_text_format("--stats=%s", results);
    free(results);
    for (uint32_t i = point->from ? point->from_settings : 0; i < machine->setting_count; i++) {
        words[count++] = hd_text_format("--set");
        words[count++] = netlist_word(&machine->settings[i]);
    }
    if (machine->is_perturbed) {
        words[count++] = hd_text_format("--set");
        words[count++] = hd_text_format("perturb.seed=%u", of->repetition + 1);
    }
    if (point->from)
        words[count++] = hd_text_format("--resume=%s", point->from);
    else
        add_what_runs(point, words, count);
    return words;
}

char **job_environment(void)
{
    static char language[] = "LC_ALL=C";
    char **kept = calloc(VARIABLES + 2, sizeof *kept);
    size_t count = 0;
    if (!kept)
        abort();
    kept[count++] = language;
    for (size_t v = 0; v < VARIABLES; v++)
        for (char **variable = environ; *variable; variable++)
            if (!strncmp(*variable, variables[v], strlen(variables[v])) && (*variable)[strlen(variables[v])] == '=')
                kept[count++] = *variable;
    return kept;
}

void job_free_words(char **words)
{
    for (char **word = words; *word; word++)
        free(*word);
    free(words);
}

static void put_quoted(FILE *out, const char *word)
{
    fputs(" '", out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    fputc('\'', out);
}

char *job_shell_line(const job *of, const spool *spool)
{
    char *text, **words = job_words(of, spool), **environment = job_environment();
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    fputs("env -i", out);
    for (char **variable = environment; *variable; variable++)
        put_quoted(out, *variable);
    for (char **word = words; *word; word++)
        put_quoted(out, *word);
    fclose(out);
    free(environment);
    job_free_words(words);
    return text;
}

double job_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
