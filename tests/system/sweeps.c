/* SPDX-License-Identifier: MIT */
#include "sweeps.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"

#define WORDS_MAX 12

sweep_bench sweep_bench_open(void)
{
    sweep_bench bench = {.folder = folder_new(), .output = folder_new()};
    bench.store = path_in(bench.folder, "s.db");
    bench.file = path_in(bench.folder, "sweep.yaml");
    return bench;
}

void sweep_bench_close(sweep_bench *bench)
{
    folder_remove(bench->folder);
    folder_remove(bench->output);
    free(bench->store);
    free(bench->file);
}

void sweep_bench_write(const sweep_bench *bench, const char *name, const char *text)
{
    char *all = text_of("sweep: 1\nname: %s\n%s", name, text);
    file_write(bench->file, all, strlen(all));
    free(all);
}

pid_t sweep_start(const sweep_bench *bench, const char *file, const char *const *words)
{
    const char *all[WORDS_MAX] = {"sweep", file ? file : bench->file, "--store", bench->store};
    for (size_t i = 0; words[i]; i++) {
        cr_assert(i + 5 < WORDS_MAX);
        all[i + 4] = words[i];
    }
    return heddle_start(bench->output, all);
}

finished sweep_wait(const sweep_bench *bench, pid_t child)
{
    return heddle_wait(bench->output, child);
}

finished sweep_run(const sweep_bench *bench, const char *file, const char *const *words)
{
    return sweep_wait(bench, sweep_start(bench, file, words));
}

static char *rows(const sweep_bench *bench, const char *option)
{
    finished run = heddle("results", bench->store, "--statistic", "*", option ? option : "--");
    expect_code(&run, 0);
    char *out = strdup(run.out);
    finished_free(&run);
    return out;
}

char *sweep_rows(const sweep_bench *bench)
{
    return rows(bench, NULL);
}

char *sweep_host_rows(const sweep_bench *bench)
{
    return rows(bench, "--host");
}

unsigned sweep_passed(const sweep_bench *bench)
{
    unsigned count = 0;
    finished run = heddle("results", bench->store);
    for (const char *at = run.out; (at = strstr(at, ",pass")); at++)
        count++;
    finished_free(&run);
    return count;
}

void expect_sweep(finished run, int code, const char *part)
{
    expect_code(&run, code);
    if (code == 2)
        expect_error(&run, part);
    else
        expect_output(&run, part);
    finished_free(&run);
}
