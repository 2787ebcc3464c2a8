/* SPDX-License-Identifier: MIT */
/* A kernel or a host program does what has no meaning: one clear error that names what, where and who, exit code 1, and
 * results that say so. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define FUNCTIONAL SYSTEM_MACHINES "/functional.yaml"
#define FAULTS SYSTEM_APPS "/faults"

typedef struct mistake {
    const char *sets[6];  /* NULL at the end */
    const char *status;   /* in the results */
    const char *parts[6]; /* of the error; NULL at the end */
    const char *source;   /* a part of the line of the kernel's source that the error names; NULL: of no line */
} mistake;

/* "kernel.c:12)" of the one line with this text. */
static void expect_source_line(const finished *run, const char *text)
{
    char line[256], place[32] = "";
    uint32_t number = 0;
    FILE *source = fopen(SYSTEM_APP_SOURCES "/faults/kernel.c", "r");
    cr_assert(source);
    while (fgets(line, sizeof line, source) && ++number)
        if (strstr(line, text))
            snprintf(place, sizeof place, ", kernel.c:%u)", number);
    fclose(source);
    cr_assert(*place, "no line has %s", text);
    expect_error(run, place);
}

static void expect_failure_on(const char *machine, const mistake *mistake)
{
    const char *words[24] = {"run", machine, FAULTS};
    size_t count = 3;
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    for (size_t i = 0; mistake->sets[i]; i++) {
        words[count++] = "--set";
        words[count++] = mistake->sets[i];
    }
    words[count++] = "--out";
    words[count++] = folder;
    finished run = heddle_run(words);
    expect_code(&run, 1);
    for (size_t i = 0; mistake->parts[i]; i++)
        expect_error(&run, mistake->parts[i]);
    if (mistake->source)
        expect_source_line(&run, mistake->source);
    const char *error = strstr(run.err, "error: ");
    cr_expect(error && (error == run.err || error[-1] == '\n') && !strstr(error + 1, "error: "), "not one error:\n%s",
              run.err);
    expect_output(&run, "FAIL");
    char *left = folder_list(folder);
    cr_expect_str_eq(left, "stats.json ");
    json_t *stats = stats_read(path);
    cr_expect_str_eq(json_string_value(stats_at(stats, "status")), mistake->status);
    cr_expect(json_is_true(stats_at(stats, "partial")) == !strcmp(mistake->status, "fault"));
    json_decref(stats);
    free(left);
    free(path);
    finished_free(&run);
    folder_remove(folder);
}

Test(errors_of_programs, an_exit_that_is_not_a_return_from_the_program)
{
    finished run = heddle("run", SMALL, FAULTS, "--set", "app.exit=1");
    expect_code(&run, 1);
    expect_error(&run, "error: the host program called exit; a program ends where hd_app_main returns\n");
    cr_expect_null(strstr(run.out, "PASS"));
    finished_free(&run);
}

/* Every type of core says the same. */
static void expect_failure(const mistake *mistake)
{
    expect_failure_on(SMALL, mistake);
    expect_failure_on(FUNCTIONAL, mistake);
}

Test(errors_of_programs, illegal_instruction)
{
    expect_failure(&(mistake){.sets = {"app.kernel=illegal_instruction"},
                              .status = "fault",
                              .parts = {"illegal instruction", "0xffffffff", "(illegal_instruction+0x", "lane 3"}});
}

Test(errors_of_programs, null_dereference)
{
    expect_failure(&(mistake){.sets = {"app.kernel=null_dereference", "app.offset=16"},
                              .status = "fault",
                              .parts = {"null", "0x00000010", "(null_dereference+0x", "block (0,0,0)", "lane 3"}});
}

Test(errors_of_programs, misaligned_access)
{
    expect_failure(&(mistake){.sets = {"app.kernel=misaligned_access", "app.offset=2", "app.last=5"},
                              .status = "fault",
                              .parts = {"misaligned", "(misaligned_access+0x", "lane"},
                              .source = "args->data.address + args->offset}) = 1"});
}

Test(errors_of_programs, address_beyond_the_memory)
{
    expect_failure(&(mistake){.sets = {"app.kernel=misaligned_access", "app.offset=0x60000000", "app.last=5"},
                              .status = "fault",
                              .parts = {"beyond the machine's memory: 4-byte store to 0x70",
                                        "memory ends at 0x70000000", "(misaligned_access+0x", "lane"},
                              .source = "args->data.address + args->offset}) = 1"});
}

Test(errors_of_programs, scratchpad_overrun)
{
    expect_failure(&(mistake){.sets = {"app.kernel=scratchpad_overrun", "app.scratchpad=1024", "app.offset=1024"},
                              .status = "fault",
                              .parts = {"scratchpad", "1024", "(scratchpad_overrun+0x", "lane 3"},
                              .source = "[args->offset / 4] = 1"});
}

Test(errors_of_programs, stack_overflow)
{
    expect_failure(&(mistake){.sets = {"app.kernel=stack_overflow", "app.offset=100"},
                              .status = "fault",
                              .parts = {"stack", "deep", "lane 3"}});
}

Test(errors_of_programs, a_jump_out_of_the_code)
{
    expect_failure(
        &(mistake){.sets = {"app.kernel=wild_jump", "app.offset=0x20000000"},
                   .status = "fault",
                   .parts = {"jumped outside the code of its kernel, to 0x20000000", "(wild_jump+0x", "lane 3"},
                   .source = "args->offset)()"});
}

Test(errors_of_programs, a_write_to_the_argument_block)
{
    expect_failure(&(mistake){.sets = {"app.kernel=write_to_constants"},
                              .status = "fault",
                              .parts = {"constant", "(write_to_constants+0x", "lane 3"},
                              .source = "args)->offset = 1"});
}

Test(errors_of_programs, a_false_assertion)
{
    expect_failure(&(mistake){.sets = {"app.kernel=false_assertion", "app.block=64", "app.first=40", "app.last=41"},
                              .status = "fault",
                              .parts = {"assertion failed: thread < args->first || thread > args->last",
                                        "kernel false_assertion, pc", "kernel.c:", "block (0,0,0), warp 1",
                                        "lanes 8-9, first thread (40,0,0)"}});
}

Test(errors_of_programs, a_recursion_deeper_than_the_stack)
{
    expect_failure(
        &(mistake){.sets = {"app.kernel=endless_recursion"},
                   .status = "fault",
                   .parts = {"stack overflow", "kernel endless_recursion, pc", "(endless+0x", "kernel.c:", "lane 3"}});
}

Test(errors_of_programs, a_csr_that_does_not_exist)
{
    expect_failure(&(mistake){.sets = {"app.kernel=unknown_csr"},
                              .status = "fault",
                              .parts = {"illegal access to CSR 0xcff", "(unknown_csr+0x", "kernel.c:", "lane 3"}});
}

Test(errors_of_programs, a_divergent_barrier)
{
    expect_failure(&(mistake){.sets = {"app.kernel=divergent_barrier"},
                              .status = "fault",
                              .parts = {"divergent barrier: lanes 0-2,4-31 of the warp are not here and wait elsewhere",
                                        "(divergent_barrier+0x", "kernel.c:", "lane 3, thread (3,0,0)"}});
}

Test(errors_of_programs, threads_that_end_before_a_barrier)
{
    expect_failure(&(mistake){.sets = {"app.kernel=early_exit", "app.block=64", "app.first=32", "app.last=63",
                                       "core.barrier.early_exit=fault"},
                              .status = "fault",
                              .parts = {"barrier 0 opens for 32 threads; 32 of the block have ended without it",
                                        "kernel early_exit, pc", "kernel.c:", "warp 0, lanes 0-31"}});
}

Test(errors_of_programs, a_print_of_what_is_no_text)
{
    expect_failure(&(mistake){.sets = {"app.kernel=bad_print"},
                              .status = "fault",
                              .parts = {"printf: argument 1, 0x", "of '%s' is no constant text", "kernel.c:"}});
}

/* What kernels say is no error: it stands on stdout. */
static void expect_said(const char *const *words, const char *said)
{
    finished run = heddle_run(words);
    expect_code(&run, 1);
    expect_output(&run, said);
    expect_error(&run, "came to its end");
    finished_free(&run);
}

static void expect_prints_on(const char *machine, const char *lanes)
{
    const char *const words[] = {"run",          machine, FAULTS,         "--set", "app.kernel=print", "--set",
                                 "app.block=64", "--set", "app.first=31", "--set", "app.last=33",      "--set",
                                 lanes,          NULL};
    expect_said(words, "kernel.c:");
    expect_said(words, ": block (0,0,0), thread (31,0,0): 31: 7.75 of four\nkernel.c:");
    expect_said(words, ": block (0,0,0), thread (32,0,0): 32: 8 of four\nkernel.c:");
    expect_said(words, ": block (0,0,0), thread (33,0,0): 33: 8.25 of four\nFAIL");
}

Test(errors_of_programs, lines_that_a_kernel_prints_are_on_stdout_in_the_order_of_lanes)
{
    expect_prints_on(SMALL, "core.lanes=32");
    expect_prints_on(SMALL, "core.lanes=64");
    expect_prints_on(FUNCTIONAL, "core.lanes=32");
    expect_prints_on(FUNCTIONAL, "core.lanes=64");
}

Test(errors_of_programs, threads_that_end_before_a_barrier_are_a_warning)
{
    const char *const words[] = {"run",          SMALL,   FAULTS,         "--set", "app.kernel=early_exit", "--set",
                                 "app.block=64", "--set", "app.first=32", "--set", "app.last=63",           NULL};
    expect_said(words, "barrier 0 opens for 32 threads; 32 of the block have ended without it");
    expect_said(words, "warning: core[0] at ");
}

Test(errors_of_programs, a_block_of_more_threads_than_a_core_has)
{
    expect_failure(&(mistake){.sets = {"app.block=513"}, .status = "fault", .parts = {"513", "thread"}});
}

Test(errors_of_programs, a_block_of_more_scratchpad_than_a_core_has)
{
    expect_failure(&(mistake){.sets = {"app.scratchpad=49153"}, .status = "fault", .parts = {"49153", "scratchpad"}});
}

Test(errors_of_programs, a_grid_of_no_blocks)
{
    expect_failure(&(mistake){.sets = {"app.grid=0"}, .status = "error", .parts = {"grid", "0"}});
}

Test(errors_of_programs, a_block_of_no_threads)
{
    expect_failure(&(mistake){.sets = {"app.block=0"}, .status = "error", .parts = {"block", "0"}});
}

Test(errors_of_programs, a_kernel_that_is_not_there)
{
    expect_failure(&(mistake){.sets = {"app.kernel=nothin"}, .status = "error", .parts = {"nothin"}});
}

Test(errors_of_programs, a_result_that_is_wrong)
{
    expect_failure(
        &(mistake){.sets = {"app.kernel=nothing"}, .status = "fail", .parts = {"kernel nothing came to its end"}});
}
