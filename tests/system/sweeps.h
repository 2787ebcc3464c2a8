/* SPDX-License-Identifier: MIT */
/* Sweeps in a folder of their own. */
#ifndef SYSTEM_SWEEPS_H
#define SYSTEM_SWEEPS_H

#include "process.h"

/* What one test works in: folder/s.db is its store, folder/sweep.yaml its file. */
typedef struct sweep_bench {
    char *folder;
    char *store;
    char *file;
    char *output; /* another folder, for what is printed */
} sweep_bench;

sweep_bench sweep_bench_open(void);
void sweep_bench_close(sweep_bench *bench);

/* Writes the file of the sweep: `sweep: 1`, a name, and the text. */
void sweep_bench_write(const sweep_bench *bench, const char *name, const char *text);

/* `heddle sweep FILE --store STORE words...`, of the bench's file if `file` is NULL; at most six words. */
finished sweep_run(const sweep_bench *bench, const char *file, const char *const *words);
#define sweep_now(bench, file, ...) sweep_run(bench, file, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})
pid_t sweep_start(const sweep_bench *bench, const char *file, const char *const *words);
finished sweep_wait(const sweep_bench *bench, pid_t child);

/* All rows with all statistics; with those of the host as well. To be freed. */
char *sweep_rows(const sweep_bench *bench);
char *sweep_host_rows(const sweep_bench *bench);
/* Rows that passed; 0 if there is no store yet. */
unsigned sweep_passed(const sweep_bench *bench);

/* Ends so, and says that on stdout (0, 1) or stderr (2). */
void expect_sweep(finished run, int code, const char *part);

#endif
