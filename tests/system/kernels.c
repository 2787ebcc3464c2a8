/* SPDX-License-Identifier: MIT */
/* What the command says of kernels before any of them runs: disasm, lint, warnings of a run. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define MIMD SYSTEM_MACHINES "/mimd.yaml"
#define FAULTS SYSTEM_APPS "/faults"
#define SPIN FAULTS, "--set", "app.kernel=nothing", "--set", "limit=50 us"

static void expect_warnings(finished run, int simt_deadlock, int stale_spin)
{
    cr_expect_eq(strstr(run.err, "warning[simt_deadlock]: ") != NULL, simt_deadlock, "%s", run.err);
    cr_expect_eq(strstr(run.err, "warning[stale_spin]: ") != NULL, stale_spin, "%s", run.err);
    const char *first = strstr(run.err, "warning[");
    cr_expect(!first || !strstr(first + 1, "warning["), "said more than once:\n%s", run.err);
    finished_free(&run);
}

Test(kernels, of_which_a_run_warns_are_those_that_its_machine_can_trap)
{
    expect_warnings(heddle("run", SMALL, "spinlock", "--set", "watchdog=20 us", "--set", "app.grid=1"), 1, 0);
    expect_warnings(heddle("run", MIMD, "spinlock", "--set", "app.grid=1"), 0, 0);
    expect_warnings(heddle("run", SMALL, "spinlock", "--set", "watchdog=20 us", "--set", "app.grid=1", "--quiet"), 0,
                    0);
    expect_warnings(heddle("run", SMALL, SPIN, "--set", "core.l1.global=cache"), 0, 1);
    expect_warnings(heddle("run", SMALL, SPIN, "--set", "core.l1.global=bypass"), 0, 0);
    expect_warnings(heddle("run", SMALL, "hashtable"), 0, 0);
}

/* Meant to, and of them it is certain; their app.yaml says that they need independent lanes. */
static int is_app_that_hangs(const char *app)
{
    static const char *const names[] = {"spinlock", "openmp_locks", "hashtable_mimd", "atm_mimd", "cloth_mimd"};
    int is_one = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is_one |= !strcmp(app, names[i]);
    return is_one;
}

Test(kernels, of_the_apps_are_clean_but_those_that_are_to_hang)
{
    DIR *apps = opendir(HEDDLE_APPS);
    cr_assert(apps);
    uint32_t seen = 0;
    for (struct dirent *entry; (entry = readdir(apps));) {
        if (entry->d_name[0] == '.')
            continue;
        finished run = heddle("lint", entry->d_name, "--certain");
        const int hangs = is_app_that_hangs(entry->d_name);
        expect_code(&run, hangs);
        expect_output(&run, hangs ? "warning[simt_deadlock]: pc 0x" : "nothing to say");
        finished_free(&run);
        seen++;
    }
    closedir(apps);
    cr_expect_geq(seen, 10);
}

Test(kernels, are_looked_at_for_a_unit_and_printed_in_a_format)
{
    static const struct {
        const char *option, *value, *output;
        int code;
    } cases[] = {
        {"--unit", "stack", "warning[simt_deadlock]: pc 0x", 1},
        {"--unit", "aware", "warning[simt_deadlock]: pc 0x", 1},
        {"--unit", "mp", "warning[simt_deadlock]: pc 0x", 1},
        {"--format", "text", "warning[simt_deadlock]: pc 0x", 1},
        {"--format", "json", "\"kind\": \"simt_deadlock\"", 1},
        {"--format", "sarif", "\"ruleId\": \"simt_deadlock\"", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        finished run = heddle("lint", "spinlock", cases[i].option, cases[i].value);
        expect_code(&run, cases[i].code);
        expect_output(&run, cases[i].output);
        finished_free(&run);
    }
    finished run = heddle("lint", "vecadd", "--format", "json", "--unit", "mp");
    expect_code(&run, 0);
    expect_output(&run, "\"unit\": \"mp\",\n  \"findings\": [],\n  \"loops\": {\n    \"all\": 0,");
    finished_free(&run);
    run = heddle("lint", "needleman");
    expect_code(&run, 1);
    expect_output(&run, "warning[possible_deadlock]: pc 0x");
    finished_free(&run);
    run = heddle("lint", "spinlock", "--unit", "stakc");
    expect_code(&run, 2);
    cr_expect(strstr(run.err, "there is no unit 'stakc'") && strstr(run.err, "did you mean 'stack'"), "%s", run.err);
    finished_free(&run);
    run = heddle("lint", "spinlock", "--format", "jsom");
    expect_code(&run, 2);
    cr_expect(strstr(run.err, "there is no format 'jsom'") && strstr(run.err, "did you mean 'json'"), "%s", run.err);
    finished_free(&run);
}

Test(kernels, are_shown_by_app_or_by_file)
{
    finished by_app = heddle("disasm", "bfs"), by_file = heddle("disasm", HEDDLE_APPS "/bfs/kernel.elf");
    expect_code(&by_app, 0);
    cr_expect_str_eq(by_app.out, by_file.out);
    expect_output(&by_app, "bfs_level:\nB0:\n");
    expect_output(&by_app, "; meeting point of B");
    expect_output(&by_app, "  kernel.c:");
    finished_free(&by_app);
    finished_free(&by_file);
}

/* Functions find their registers where they expect them, although entries save none: values across calls, recursion, the
 * compiler's library, frames without a size, a kernel that another one calls. */
Test(kernels, may_call_what_they_want)
{
    static const char *const machines[] = {SMALL, MIMD, SYSTEM_MACHINES "/functional.yaml"};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        finished run = heddle("run", machines[i], SYSTEM_APPS "/calls");
        expect_code(&run, 0);
        expect_output(&run, "PASS  calls on ");
        finished_free(&run);
    }
}

/* What tests/unit/listing compares word for word, here of a kernel that a compiler has made. */
Test(kernels, are_shown_after_each_step_of_loading)
{
    finished plain = heddle("disasm", "bfs"), last = heddle("disasm", "bfs", "--after", "analyse");
    cr_expect_str_eq(plain.out, last.out);
    finished_free(&last);
    finished parsed = heddle("disasm", "bfs", "--after", "parse");
    finished annotated = heddle("disasm", "bfs", "--after", "annotate");
    finished transformed = heddle("disasm", "bfs", "--after", "transform");
    expect_output(&parsed, "segment  0x10000000  r");
    expect_output(&parsed, "function bfs_level\n");
    expect_output(&parsed, ".heddle.arguments, ");
    expect_output(&annotated, "; relaxed\n");
    cr_expect_null(strstr(parsed.out, "; relaxed"));
    cr_expect_str_eq(annotated.out, transformed.out);
    finished_free(&plain);
    finished_free(&parsed);
    finished_free(&annotated);
    finished_free(&transformed);
}

/* A stack needs to know where lanes meet; paths that never wait for each other do not. */
Test(kernels, are_shown_as_the_cores_of_a_machine_load_them)
{
    finished stack = heddle("disasm", "bfs", "--machine", SMALL), plain = heddle("disasm", "bfs");
    finished mimd = heddle("disasm", "bfs", "--machine", MIMD, "--after", "transform");
    expect_code(&stack, 0);
    expect_output(&stack, "machine  small\nchange   none\ntable    reconvergence: ");
    expect_output(&stack, plain.out);
    expect_output(&stack, "\nreconvergence: where lanes that part here meet again\n  0x");
    expect_code(&mimd, 0);
    expect_output(&mimd, "\nchange   none\ntable    none\n\nsegment  0x10000000  r");
    finished_free(&stack);
    finished_free(&mimd);
    static const char *const steps[] = {"parse", "annotate", "transform"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        finished alone = heddle("disasm", "bfs", "--after", steps[i]);
        stack = heddle("disasm", "bfs", "--machine", SMALL, "--after", steps[i]);
        expect_code(&stack, 0);
        expect_output(&stack, "table    reconvergence: ");
        expect_output(&stack, alone.out);
        cr_expect_null(strstr(stack.out, "\nreconvergence: "), "after %s there are no tables yet", steps[i]);
        finished_free(&stack);
        finished_free(&alone);
    }
    stack = heddle("disasm", "bfs", "--machine", SMALL, "--set", "core.reconvergence=mimd");
    expect_output(&stack, "\ntable    none\n");
    finished_free(&stack);
    finished_free(&plain);
}

Test(kernels, for_a_machine_that_is_none_are_one_error)
{
    finished run = heddle("disasm", "bfs", "--machine", "nowhere.yaml");
    expect_code(&run, 2);
    expect_error(&run, "nowhere.yaml:1:1: error[N01]");
    cr_expect_str_eq(run.out, "");
    finished_free(&run);
    run = heddle("disasm", "bfs", "--machine", SMALL, "--set", "core.warp=3");
    expect_code(&run, 2);
    expect_error(&run, "did you mean 'warps'");
    finished_free(&run);
    run = heddle("disasm", "bfs", "--machine", SMALL, "--function", "bfs_levels");
    expect_code(&run, 2);
    expect_error(&run, "did you mean 'bfs_level'");
    cr_expect_str_eq(run.out, "");
    finished_free(&run);
    run = heddle("disasm", "bfs", "--set", "core.warps=3");
    expect_code(&run, 2);
    expect_error(&run, "--set and --plugin are of a machine: --machine NETLIST says of which");
    finished_free(&run);
    run = heddle("disasm", "bfs", "--plugin", "any.so");
    expect_code(&run, 2);
    expect_error(&run, "--set and --plugin are of a machine: --machine NETLIST says of which");
    finished_free(&run);
    run = heddle("disasm", "bfs", "--set", "core.warps=3", "--after", "analyze");
    expect_code(&run, 2);
    expect_error(&run, "there is no step 'analyze'");
    cr_expect_null(strstr(run.err, "--machine"), "one error: %s", run.err);
    finished_free(&run);
    run = heddle("disasm", SMALL, "--machine", SMALL);
    expect_code(&run, 2);
    expect_error(&run, "small.yaml: not an ELF file");
    finished_free(&run);
}

Test(kernels, that_are_none_are_one_error)
{
    finished run = heddle("disasm", SMALL);
    expect_code(&run, 2);
    expect_error(&run, "small.yaml: not an ELF file");
    finished_free(&run);
    run = heddle("lint", "spinlok");
    expect_code(&run, 2);
    expect_error(&run, "did you mean 'spinlock'");
    finished_free(&run);
    run = heddle("disasm", "bfs", "--function", "bfs_levels");
    expect_code(&run, 2);
    expect_error(&run, "did you mean 'bfs_level'");
    finished_free(&run);
    run = heddle("disasm", "bfs", "--after", "analyze");
    expect_code(&run, 2);
    expect_error(&run,
                 "there is no step 'analyze': kernels are loaded in the steps parse, annotate, transform, analyse");
    expect_error(&run, "did you mean 'analyse'");
    finished_free(&run);
    run = heddle("disasm", "bfs", "--after", "parse", "--function", "bfs_levels");
    expect_code(&run, 2);
    expect_error(&run, "did you mean 'bfs_level'");
    finished_free(&run);
    run = heddle("disasm");
    expect_code(&run, 2);
    finished_free(&run);
}
