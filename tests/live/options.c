/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
/* Every option of every command, as its usage names them, changes what its row says. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define WORDS_MAX 12u

/* The command without the option, then with it: the option's words are put at the end, or before --. A leading @ is a new folder, and
 * what is in its stats.json counts as printed. */
typedef struct option_row {
    const char *command;
    const char *option;
    const char *words[WORDS_MAX];
    const char *added[2];
    const char *appears; /* in what is printed, with the option only */
    const char *is_gone; /* without the option only; either may be NULL */
} option_row;

#define RUN "run", SMALL, "vecadd", "--set", "app.n=64"
#define PROFILED RUN, "--profile", "--out", "@"
#define NOWHERE "/nowhere/at/all"
#define COMPARE "compare", SMALL, SMALL, "vecadd", "--set", "app.n=64"
#define SWEEP "sweep", SYSTEM_SWEEPS "/tiny.yaml", "--store", "@/a.db"
#define HANGS "sweep", SYSTEM_SWEEPS "/fails.yaml", "--store", "@/a.db"

#ifdef OPENCL_PROGRAM
#define OPENCL "--", OPENCL_PROGRAM, OPENCL_KERNELS, "add"
#define KERNELC "kernelc", OPENCL_KERNELS, "-o", "@/kernel.elf"
#endif
#ifdef CUDA_SOURCE
#define CUDA "--", CUDA_SOURCE
#endif

/* clang-format off */
static const option_row rows[] = {
    {"run", "--set", {RUN, "--stats", "@/stats.json"}, {"--set", "core.warps=8"}, "\"warps\": 8,", "\"warps\": 16,"},
    {"run", "--plugin", {RUN}, {"--plugin", NOWHERE}, NOWHERE, "PASS"},
    {"run", "--with", {RUN, "--stats", "@/stats.json"}, {"--with", "vecadd"}, "\"apps\": [", NULL},
    {"run", "--seed", {RUN, "--stats", "@/stats.json"}, {"--seed", "7"}, "\"seed\": 7,", NULL},
    {"run", "--firmware", {RUN}, {"--firmware", NOWHERE}, "runs no firmware", "PASS"},
    {"run", "--out", {RUN}, {"--out", "@"}, "\"heddle.stats\"", NULL},
    {"run", "--stats", {RUN}, {"--stats", "@/stats.json"}, "\"heddle.stats\"", NULL},
    {"run", "--tlm=auto", {RUN, "--stats", "@/stats.json", "--tlm=always"}, {"--tlm=auto"}, "\"transport_calls\": 0,", NULL},
    {"run", "--tlm=always", {RUN, "--stats", "@/stats.json", "--tlm=auto"}, {"--tlm=always"}, "\"tlm\": \"always\"", "\"transport_calls\": 0,"},
    {"run", "--tlm=checked", {RUN, "--stats", "@/stats.json", "--tlm=auto"}, {"--tlm=checked"}, "\"tlm\": \"checked\"", "\"transport_calls\": 0,"},
    {"run", "--threads", {RUN, "--stats", "@/stats.json"}, {"--threads", "2"}, "\"threads\": 2,", "\"threads\": 1,"},
    {"run", "--gdb", {RUN}, {"--gdb", "65535"}, "--gdb 65535: it must be a port from 1 to 65534", "PASS"},
    {"run", "--check-memory", {RUN}, {"--check-memory"}, "accesses to memory: 0 of them are errors", NULL},
    {"run", "--check-races", {RUN}, {"--check-races"}, "0 races", NULL},
    {"run", "--check-tx", {RUN}, {"--check-tx"}, "transactions are serialisable", NULL},
    {"run", "--profile", {RUN, "--stats", "@/stats.json"}, {"--profile"}, "\"profile\": {", NULL},
    {"run", "--sample", {RUN, "--tlm=auto"}, {"--sample", "standard"}, "(estimate, 95 %)", NULL},
    {"run", "--series", {RUN, "--stats", "@/stats.json"}, {"--series", "0 us"}, "--series 0 us", "PASS"},
    {"run", "--statistic", {RUN, "--stats", "@/stats.json", "--series", "1 us"}, {"--statistic", "core.nothing"}, "core.nothing", "PASS"},
    {"run", "--checkpoint", {RUN}, {"--checkpoint", "@/a.state"}, "needs one of --checkpoint-at TIME", "PASS"},
    {"run", "--checkpoint-at", {RUN}, {"--checkpoint-at", "1 us"}, "--checkpoint-at needs --checkpoint FILE", "PASS"},
    {"run", "--checkpoint-after", {RUN}, {"--checkpoint-after", "1"}, "--checkpoint-after needs --checkpoint FILE", "PASS"},
    {"run", "--resume", {RUN}, {"--resume", NOWHERE}, "cannot be read", "PASS"},
    {"run", "--trace", {RUN}, {"--trace", NOWHERE}, NOWHERE, "PASS"},
    {"run", "--vcd", {RUN}, {"--vcd", "/dev/stdout"}, "$enddefinitions", NULL},
    {"run", "--trace-unit", {RUN, "--vcd", "/dev/stdout"}, {"--trace-unit", "host"}, NULL, "slot[0]"},
    {"run", "--trace-event", {RUN, "--vcd", "/dev/stdout"}, {"--trace-event", "issue"}, " issue $end", " block $end"},
    {"run", "--trace-kernel", {RUN, "--vcd", "/dev/stdout"}, {"--trace-kernel", "none"}, "the trace is empty", "slot[0]"},
    {"run", "--trace-from", {RUN, "--vcd", "/dev/stdout"}, {"--trace-from", "1 s"}, NULL, "slot[0]"},
    {"run", "--trace-to", {RUN, "--vcd", "/dev/stdout"}, {"--trace-to", "1 ns"}, NULL, "slot[0]"},
    {"run", "--trace-limit", {RUN, "--vcd", "/dev/stdout"}, {"--trace-limit", "1 B"}, "the trace ends at", "slot[0]"},
    {"run", "--trace-picoseconds", {RUN, "--vcd", "/dev/stdout"}, {"--trace-picoseconds"}, "it is about --trace", "slot[0]"},
    {"run", "--quiet", {RUN}, {"--quiet"}, NULL, "PASS"},
    {"profile", "--by=line", {"profile", "@", "--by=function"}, {"--by=line"}, "kernel.c:13", NULL},
    {"profile", "--by=function", {"profile", "@"}, {"--by=function"}, NULL, "kernel.c:13"},
    {"profile", "--by=instruction", {"profile", "@"}, {"--by=instruction"}, "0x10000000 simt.h:", NULL},
    {"profile", "--sort", {"profile", "@"}, {"--sort", "nothing"}, "no column 'nothing'", "PROFILE"},
    {"profile", "--top", {"profile", "@"}, {"--top", "1"}, "more; --top", NULL},
    {"profile", "--source", {"profile", "@"}, {"--source"}, "\nfirmware/apps/vecadd/kernel.c\n", NULL},
    {"profile", "--sources", {"profile", "@"}, {"--sources", HEDDLE_APP_SOURCES "/../.."}, "c[i] = a[i]", NULL},
    {"profile", "--csv", {"profile", "@"}, {"--csv"}, "file,line,function,pc,", "PROFILE"},
    {"profile", "--branches", {"profile", "@"}, {"--branches", "/dev/stdout"}, "heddle branch profile 2", "PROFILE"},
    {"profile", "--levels", {"profile", "@"}, {"--levels", "@/a.levels"}, "it does not say what blocks used", "PROFILE"},
    {"profile", "--conflicts", {"profile", "@"}, {"--conflicts"}, "CONFLICTS  vecadd", "PROFILE"},
    {"check", "--set", {"check", SMALL, "--resolved"}, {"--set", "core.warps=8"}, "warps: 8 ", "warps: 16 "},
    {"check", "--plugin", {"check", SMALL}, {"--plugin", NOWHERE}, NOWHERE, "is in order"},
    {"check", "--resolved", {"check", SMALL}, {"--resolved"}, "l1.mshrs: 64", "is in order"},
    {"check", "--print-map", {"check", SMALL}, {"--print-map"}, "partition", "is in order"},
    {"list", "--plugin", {"list", "dram"}, {"--plugin", NOWHERE}, NOWHERE, "row_bytes"},
    {"list", "--markdown", {"list", "dram"}, {"--markdown"}, "| `row_bytes` |", NULL},
    {"graph", "--set", {"graph", SMALL}, {"--set", "core.count=1"}, NULL, "20 links"},
    {"graph", "--plugin", {"graph", SMALL}, {"--plugin", NOWHERE}, NOWHERE, "digraph"},
    {"graph", "--svg", {"graph", SMALL}, {"--svg", NOWHERE}, NOWHERE, "digraph"},
    {"graph", "--brief", {"graph", SMALL}, {"--brief"}, NULL, "20 links"},
    {"new", "--between", {"new", "app", "buffer", "--to", "@"}, {"--between"}, "--between is for blocks", NULL},
    {"new", "--to", {"new", "block", "nothing", "--to", "/proc"}, {"--to", NOWHERE}, NOWHERE, "/proc"},
    {"disasm", "--function", {"disasm", "vecadd"}, {"--function", "no_such"}, "no_such", "fadd.s"},
    {"disasm", "--after", {"disasm", "vecadd"}, {"--after", "parse"}, "segment  0x10000000", "meeting point"},
    {"disasm", "--machine", {"disasm", "vecadd"}, {"--machine", SMALL}, "table    reconvergence", NULL},
    {"disasm", "--set", {"disasm", "vecadd", "--machine", SMALL}, {"--set", "core.reconvergence=mimd"}, "table    none", "table    reconvergence"},
    {"disasm", "--plugin", {"disasm", "vecadd", "--machine", SMALL}, {"--plugin", NOWHERE}, NOWHERE, "machine  small"},
    {"lint", "--unit", {"lint", "spinlock"}, {"--unit", "none"}, "there is no unit 'none'", "simt_deadlock"},
    {"lint", "--format", {"lint", "spinlock"}, {"--format", "json"}, "\"findings\": [", "warning["},
    {"lint", "--transform", {"lint", "spinlock"}, {"--transform", "ssde"}, "1 loops changed", "simt_deadlock"},
    {"lint", "--certain", {"lint", "apriori"}, {"--certain"}, NULL, "possible_deadlock"},
    {"compare", "--set", {COMPARE}, {"--set", "core.warp=8"}, "side=A", "the same"},
    {"compare", "--set-a", {COMPARE}, {"--set-a", "core.warps=8"}, "core.warps", "no difference"},
    {"compare", "--set-b", {COMPARE}, {"--set-b", "core.warps=8"}, "core.warps", "no difference"},
    {"compare", "--seed", {COMPARE, "--out", "@"}, {"--seed", "-7"}, "seed is '-7'", "the same"},
    {"compare", "--repeat", {COMPARE}, {"--repeat", "2"}, "means of 2 runs each", NULL},
    {"compare", "--out", {COMPARE}, {"--out", NOWHERE}, NOWHERE, "the same"},
    {"compare", "--jobs", {COMPARE}, {"--jobs", "0"}, "--jobs 0", "the same"},
    {"compare", "--top", {COMPARE, "--csv"}, {"--top", "1"}, "have everything", "what,name"},
    {"compare", "--all", {COMPARE}, {"--all"}, "core.warp_instructions", NULL},
    {"compare", "--csv", {COMPARE}, {"--csv"}, "what,name,unit", "the same"},
    {"compare", "--json", {COMPARE}, {"--json"}, "\"statistics\": [", "no difference"},
    {"sweep", "--store", {SWEEP}, {"--store", "@/b.db"}, "/b.db", "/a.db"},
    {"sweep", "--repeat", {SWEEP, "--list"}, {"--repeat", "3"}, "2 points, 3 runs each", "1 runs each"},
    {"sweep", "--jobs", {SWEEP}, {"--jobs", "0"}, "--jobs 0", "2 done now"},
    {"sweep", "--engine=local", {SWEEP, "--engine=none"}, {"--engine=local"}, "2 done now", "must be 'local'"},
    {"sweep", "--engine=slurm", {SWEEP, "--sbatch=-x", "--list"}, {"--engine=slurm"}, "is in order", "it needs --engine=slurm"},
    {"sweep", "--sbatch", {SWEEP, "--list"}, {"--sbatch", "-x"}, "it needs --engine=slurm", "is in order"},
    {"sweep", "--retry-failed", {HANGS}, {"--retry-failed"}, "1 there before, 1 done now", "2 there before, 0 done now"},
    {"sweep", "--list", {SWEEP}, {"--list"}, "is in order", "2 done now"},
    {"sweep", "--quiet", {SWEEP}, {"--quiet"}, NULL, "2 done now"},
    {"results", "--experiment", {"results", "@/a.db"}, {"--experiment", "none"}, "no experiment 'none'", "vecadd,1,1,pass"},
    {"results", "--statistic", {"results", "@/a.db"}, {"--statistic", "core.blocks_run"}, "core.blocks_run", "status,cycles"},
    {"results", "--runs", {"results", "@/a.db"}, {"--runs"}, "repetition,status", "runs,status"},
    {"results", "--host", {"results", "@/a.db"}, {"--host"}, "host_seconds", NULL},
    {"results", "--failed", {"results", "@/a.db"}, {"--failed"}, "exit code 1", "status,cycles"},
    {"report", "--svg", {"report", "@/a.db"}, {"--svg", "@/pictures"}, "pictures: 3 in", NULL},
    {"report", "--png", {"report", "@/a.db"}, {"--png", "@/pictures"}, "pictures: 3 in", NULL},
    {"report", "--experiment", {"report", "@/a.db"}, {"--experiment", "none"}, "no experiment 'none'", "report: "},
    {"report", "--statistic", {"report", "@/a.db"}, {"--statistic", "none"}, "has a statistic 'none'", "report: "},
#ifdef OPENCL_PROGRAM
    {"opencl", "--set", {"opencl", SMALL, "--stats", "@/stats.json", OPENCL}, {"--set", "core.warps=8"}, "\"warps\": 8,", "\"warps\": 16,"},
    {"opencl", "--plugin", {"opencl", SMALL, OPENCL}, {"--plugin", NOWHERE}, NOWHERE, "simulated"},
    {"opencl", "--stats", {"opencl", SMALL, OPENCL}, {"--stats", "@/stats.json"}, "\"heddle.stats\"", NULL},
    {"opencl", "--seed", {"opencl", SMALL, "--stats", "@/stats.json", OPENCL}, {"--seed", "7"}, "\"seed\": 7,", NULL},
    {"opencl", "--threads", {"opencl", SMALL, "--stats", "@/stats.json", OPENCL}, {"--threads", "2"}, "\"threads\": 2,", "\"threads\": 1,"},
    {"opencl", "--check-memory", {"opencl", SMALL, "--stats", "@/stats.json", OPENCL}, {"--check-memory"}, "\"memory_check\": {", NULL},
    {"opencl", "--check-races", {"opencl", SMALL, "--stats", "@/stats.json", OPENCL}, {"--check-races"}, "\"race_check\": {", NULL},
    {"opencl", "--quiet", {"opencl", SMALL, OPENCL}, {"--quiet"}, NULL, "simulated"},
    {"opencl", "--profile", {"opencl", SMALL, "--stats", "@/stats.json", OPENCL}, {"--profile"}, "\"profile\": {", NULL},
    {"kernelc", "--options", {KERNELC}, {"--options", "-bad"}, "build option '-bad' is not known", "add("},
    {"kernelc", "--no-cache", {KERNELC}, {"--no-cache"}, NULL, "the cache"},
#endif
#ifdef CUDA_SOURCE
    {"cuda", "--set", {"cuda", SMALL, "--stats", "@/stats.json", CUDA}, {"--set", "core.warps=8"}, "\"warps\": 8,", "\"warps\": 16,"},
    {"cuda", "--plugin", {"cuda", SMALL, CUDA}, {"--plugin", NOWHERE}, NOWHERE, "simulated"},
    {"cuda", "--stats", {"cuda", SMALL, CUDA}, {"--stats", "@/stats.json"}, "\"heddle.stats\"", NULL},
    {"cuda", "--seed", {"cuda", SMALL, "--stats", "@/stats.json", CUDA}, {"--seed", "7"}, "\"seed\": 7,", NULL},
    {"cuda", "--threads", {"cuda", SMALL, "--stats", "@/stats.json", CUDA}, {"--threads", "2"}, "\"threads\": 2,", "\"threads\": 1,"},
    {"cuda", "--check-memory", {"cuda", SMALL, "--stats", "@/stats.json", CUDA}, {"--check-memory"}, "\"memory_check\": {", NULL},
    {"cuda", "--check-races", {"cuda", SMALL, "--stats", "@/stats.json", CUDA}, {"--check-races"}, "\"race_check\": {", NULL},
    {"cuda", "--profile", {"cuda", SMALL, "--stats", "@/stats.json", CUDA}, {"--profile"}, "\"profile\": {", NULL},
    {"cuda", "--quiet", {"cuda", SMALL, CUDA}, {"--quiet"}, NULL, "simulated"},
#endif
    {"help", "--markdown", {"help"}, {"--markdown"}, "## ", "usage: heddle COMMAND"},
};
/* clang-format on */
#define ROWS (sizeof rows / sizeof *rows)

/* What some rows need in their folder: a command that is run before; option NULL: of all of the command. */
static const struct {
    const char *command;
    const char *option; /* NULL: all of the command's */
    const char *words[WORDS_MAX];
} befores[] = {
    {"sweep", "--retry-failed", {HANGS}},
    {"results", "--experiment", {SWEEP}},
    {"results", "--statistic", {SWEEP}},
    {"results", "--runs", {SWEEP, "--repeat", "2"}},
    {"results", "--host", {SWEEP}},
    {"results", "--failed", {HANGS}},
    {"report", NULL, {SWEEP}},
    {"profile", NULL, {PROFILED}},
};

static char *placed(const char *word, const char *folder)
{
    return *word == '@' ? text_of("%s%s", folder, word + 1) : strdup(word);
}

static size_t place_all(const char *const *from, const char *folder, char **words)
{
    size_t count = 0;
    for (; from[count]; count++)
        words[count] = placed(from[count], folder);
    return count;
}

static void run_before(const option_row *row, const char *folder)
{
    for (size_t i = 0; i < sizeof befores / sizeof *befores; i++) {
        if (strcmp(befores[i].command, row->command) != 0 ||
            (befores[i].option && strcmp(befores[i].option, row->option) != 0))
            continue;
        char *words[WORDS_MAX + 1] = {NULL};
        size_t count = place_all(befores[i].words, folder, words);
        finished run = heddle_run((const char *const *)words);
        while (count)
            free(words[--count]);
        finished_free(&run);
    }
}

static char *printed(const option_row *row, int with)
{
    char *words[WORDS_MAX + 3] = {NULL}, *folder = folder_new(), *path = path_in(folder, "stats.json");
    run_before(row, folder);
    const char *const *rest = row->words;
    size_t count = 0;
    for (; *rest && strcmp(*rest, "--") != 0; rest++)
        words[count++] = placed(*rest, folder);
    for (size_t i = 0; with && i < 2 && row->added[i]; i++)
        words[count++] = placed(row->added[i], folder);
    count += place_all(rest, folder, words + count);
    finished run = heddle_run((const char *const *)words);
    char *results = file_read(path, NULL), *all = NULL;
    cr_assert_neq(asprintf(&all, "%s%s%s", run.out, run.err, results ? results : ""), -1);
    while (count)
        free(words[--count]);
    finished_free(&run);
    folder_remove(folder);
    free(results);
    free(path);
    return all;
}

Test(live, every_option_of_a_command_shows)
{
    for (size_t i = 0; i < ROWS; i++) {
        char *without = printed(&rows[i], 0), *with = printed(&rows[i], 1);
        if (rows[i].appears) {
            cr_expect(strstr(with, rows[i].appears), "%s %s: no '%s' in\n%s", rows[i].command, rows[i].option,
                      rows[i].appears, with);
            cr_expect_null(strstr(without, rows[i].appears), "%s without %s: '%s'", rows[i].command, rows[i].option,
                           rows[i].appears);
        }
        if (rows[i].is_gone) {
            cr_expect(strstr(without, rows[i].is_gone), "%s without %s: no '%s' in\n%s", rows[i].command,
                      rows[i].option, rows[i].is_gone, without);
            cr_expect_null(strstr(with, rows[i].is_gone), "%s %s: '%s'", rows[i].command, rows[i].option,
                           rows[i].is_gone);
        }
        free(without);
        free(with);
    }
}

static void expect_row(const char *command, const char *option)
{
#ifndef OPENCL_PROGRAM
    if (!strcmp(command, "opencl") || !strcmp(command, "kernelc"))
        return;
#endif
#ifndef CUDA_SOURCE
    if (!strcmp(command, "cuda"))
        return;
#endif
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].command, command) && !strcmp(rows[i].option, option))
            return;
    cr_expect_fail("'heddle %s %s' has no row that shows what it changes; add one to %s", command, option, __FILE__);
}

/* An option, and each of its values where the usage lists them: --tlm=auto|always. */
static void expect_rows(const char *command, const char *text, size_t length)
{
    char *option = strndup(text, length), *values = strchr(option, '=');
    if (!values)
        expect_row(command, option);
    for (char *value; values && (value = strsep(&values, "|"));) {
        char *one = text_of("%.*s=%s", (int)strcspn(text, "="), text, value + (*value == '='));
        expect_row(command, one);
        free(one);
    }
    free(option);
}

static void read_usage(const char *command)
{
    finished help = heddle("help", command);
    expect_code(&help, 0);
    const char *end = strchr(help.out, '\n');
    for (const char *at = help.out; (at = strstr(at, "--")) && at < end;) {
        const size_t length = strspn(at, "-=|abcdefghijklmnopqrstuvwxyz");
        if (length > strlen("--")) /* which ends the options */
            expect_rows(command, at, length);
        at += length;
    }
    finished_free(&help);
}

Test(live, every_option_of_a_command_has_a_row)
{
    finished overview = heddle("help");
    expect_code(&overview, 0);
    const char *list = strchr(overview.out, '\n');
    size_t commands = 0;
    for (const char *line = list; (line = strstr(line, "\n  ")); commands++) {
        line += strlen("\n  ");
        char *command = strndup(line, strcspn(line, " "));
        read_usage(command);
        free(command);
    }
    cr_expect_gt(commands, 5);
    finished_free(&overview);
}
