/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "other_program.h"
#include "slurm.h"
#include "text.h"

#define LARGEST 1000u /* tasks of an array, whatever Slurm would take: their list stays short */

/* Runs a program of Slurm. */
static int ask(const char *const *words, char **output, char **error)
{
    int code = program_run(words, output);
    if (!code)
        return 1;
    if (code < 0 && errno == ENOENT)
        *error = hd_text_format("error: Slurm: there is no program '%s'; Debian package: slurm-client\n", words[0]);
    else if (code < 0)
        *error = hd_text_format("error: Slurm: %s: %s\n", words[0], strerror(errno));
    else
        *error = hd_text_format("error: Slurm: %s ended with %d: %s%s", words[0], code, *output ? *output : "",
                                *output && **output ? "" : "\n");
    free(*output);
    *output = NULL;
    return 0;
}

static void add_task(slurm_tasks *alive, const slurm_task *task)
{
    alive->tasks = realloc(alive->tasks, (alive->count + 1) * sizeof *alive->tasks);
    if (!alive->tasks)
        abort();
    alive->tasks[alive->count++] = *task;
}

static char *names_of(const slurm_array *arrays, size_t count)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    fputs("--name=", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s", i ? "," : "", arrays[i].name);
    fprintf(out, "%s", count ? "" : "none");
    fclose(out);
    return text;
}

int slurm_list(const slurm_array *arrays, size_t count, slurm_tasks *alive, char **error)
{
    char *output, *names = names_of(arrays, count), *at;
    const char *const words[] = {"squeue", "--noheader", "--array", "--format=%j %K %T", names, NULL};
    *alive = (slurm_tasks){0};
    int good = ask(words, &output, error);
    free(names);
    if (!good)
        return 0;
    char *rest = output;
    while ((at = strsep(&rest, "\n"))) {
        slurm_task task;
        if (sscanf(at, "%39s %" SCNu32 " %23s", task.array, &task.index, task.state) == 3)
            add_task(alive, &task);
    }
    free(output);
    return 1;
}

int slurm_largest(uint32_t *tasks, char **error)
{
    static const char *const words[] = {"scontrol", "show", "config", NULL};
    char *output;
    if (!ask(words, &output, error))
        return 0;
    const char *line = strstr(output, "MaxArraySize"), *equals = line ? strchr(line, '=') : NULL;
    unsigned long found = equals ? strtoul(equals + 1, NULL, 10) : 0;
    free(output);
    *tasks = found && found < LARGEST ? (uint32_t)found : LARGEST;
    return 1;
}

/* ---- Files of tasks and arrays --------------------------------------------------------------------------------------- */

static char *quoted(const char *word)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    fputc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    fputc('\'', out);
    fclose(out);
    return text;
}

int slurm_write_task(const spool *spool, const job *one, char **error)
{
    char *folder = getcwd(NULL, 0), *here = quoted(folder ? folder : "/"), *line = job_shell_line(one, spool);
    char *path = spool_path(spool, one->name, ""), *files = quoted(path);
    char *text = hd_text_format("#!/bin/sh\n"
                                "# Written by heddle: one run of a sweep.\n"
                                "files=%s\n"
                                "[ ! -e \"$files.exit\" ] || exit 0\n"
                                "cd %s || exit 1\n"
                                "start=$(date +%%s)\n"
                                "%s >\"$files.log\" 2>&1 </dev/null\n"
                                "code=$?\n"
                                "echo \"$code $start $(date +%%s) $(uname -n)\" >\"$files.exit.new\" &&\n"
                                "    mv \"$files.exit.new\" \"$files.exit\"\n",
                                files, here, line);
    int good = spool_write(spool, one->name, ".sh", text, error);
    free(text);
    free(files);
    free(path);
    free(line);
    free(here);
    free(folder);
    return good;
}

static int write_array(const spool *spool, const slurm_array *array, char **error)
{
    char *list = spool_path(spool, array->name, ".tasks"), *list_word = quoted(list), *folder = quoted(spool->folder);
    char *script = hd_text_format("#!/bin/sh\n"
                                  "# Written by heddle: task N of the array runs line N + 1 of the list.\n"
                                  "list=%s\n"
                                  "[ -e \"$list\" ] || exit 0\n"
                                  "name=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" \"$list\")\n"
                                  "exec /bin/sh %s/\"$name.sh\"\n",
                                  list_word, folder);
    char *names;
    size_t bytes;
    FILE *out = open_memstream(&names, &bytes);
    if (!out)
        abort();
    for (char **task = array->tasks; *task; task++)
        fprintf(out, "%s\n", *task);
    fclose(out);
    int good = spool_write(spool, array->name, ".sh", script, error) &&
               spool_write(spool, array->name, ".tasks", names, error);
    free(names);
    free(script);
    free(folder);
    free(list_word);
    free(list);
    return good;
}

int slurm_submit(const spool *spool, const slurm_array *array, const char *const *options, size_t option_count,
                 size_t throttle, char **error)
{
    size_t tasks = 0, count = 0;
    char *output = NULL;
    while (array->tasks[tasks])
        tasks++;
    if (!write_array(spool, array, error))
        return 0;
    char *own[] = {hd_text_format("--job-name=%s", array->name),
                   throttle ? hd_text_format("--array=0-%zu%%%zu", tasks - 1, throttle)
                            : hd_text_format("--array=0-%zu", tasks - 1),
                   hd_text_format("--chdir=%s", spool->folder), hd_text_format("--output=%s-%%a.out", array->name),
                   spool_path(spool, array->name, ".sh")};
    const char **words = calloc(option_count + 10, sizeof *words);
    if (!words)
        abort();
    words[count++] = "sbatch";
    words[count++] = "--parsable";
    words[count++] = "--export=PATH";
    for (size_t i = 0; i < option_count; i++)
        words[count++] = options[i];
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        words[count++] = own[i];
    int good = ask(words, &output, error);
    free(output);
    free(words);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    return good;
}

/* ---- What is in the spool -------------------------------------------------------------------------------------------- */

static char **lines_of(char *text)
{
    size_t count = 0;
    char **lines = calloc(1, sizeof *lines), *line;
    while (lines && (line = strsep(&text, "\n"))) {
        if (!*line)
            continue;
        lines = realloc(lines, (count + 2) * sizeof *lines);
        if (!lines)
            break;
        lines[count++] = hd_text_format("%s", line);
        lines[count] = NULL;
    }
    if (!lines)
        abort();
    return lines;
}

slurm_array *slurm_arrays(const spool *spool, size_t *count)
{
    char **names = spool_list(spool, ".tasks");
    slurm_array *arrays = NULL;
    *count = 0;
    for (char **name = names; *name; name++) {
        char *text = spool_read(spool, *name, ".tasks", SIZE_MAX / 2, NULL);
        arrays = realloc(arrays, (*count + 1) * sizeof *arrays);
        if (!arrays)
            abort();
        slurm_array *array = &arrays[(*count)++];
        snprintf(array->name, sizeof array->name, "%s", *name);
        array->tasks = lines_of(text);
        free(text);
    }
    spool_free_names(names);
    return arrays;
}

void slurm_free_arrays(slurm_array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        spool_free_names(arrays[i].tasks);
    free(arrays);
}

void slurm_forget(const spool *spool, const slurm_array *array)
{
    size_t task = 0;
    spool_remove(spool, array->name, ".tasks");
    spool_remove(spool, array->name, ".sh");
    for (; array->tasks[task]; task++) {
        char *name = hd_text_format("%s-%zu", array->name, task);
        spool_remove(spool, name, ".out");
        free(name);
    }
}
