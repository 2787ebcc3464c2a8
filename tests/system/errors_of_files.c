/* SPDX-License-Identifier: MIT */
/* Whatever is wrong before the first simulated picosecond: one clear error, exit code 2, no results. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* Runs vecadd on the machine and expects one error that says this, and nothing written. */
static void expect_refused(const char *machine, const char *app, const char *set, const char *const *parts)
{
    char *folder = folder_new();
    finished run = heddle("run", machine, app, "--set", set, "--out", folder);
    expect_code(&run, 2);
    for (; *parts; parts++)
        expect_error(&run, *parts);
    cr_expect_eq(count_of(run.err, "error"), 1, "more or less than one error:\n%s", run.err);
    cr_expect_str_empty(run.out);
    char *left = folder_list(folder);
    cr_expect_str_empty(left, "left behind: %s", left);
    free(left);
    finished_free(&run);
    folder_remove(folder);
}
#define expect_refusal(machine, app, set, ...)                                                                         \
    expect_refused(machine, app, set, (const char *const[]){__VA_ARGS__, NULL})

/* A machine file that lies over the small machine. */
static void expect_bad_machine(const char *text, const char *place, const char *what)
{
    char *folder = folder_new(), *path = path_in(folder, "bad.yaml");
    char *whole = text_of("heddle: 1\nname: bad\nextends: %s\n%s", SMALL, text);
    file_write(path, whole, strlen(whole));
    expect_refusal(path, "vecadd", "app.n=1", place, what);
    free(whole);
    free(path);
    folder_remove(folder);
}

Test(errors_of_files, a_machine_file_that_is_not_there)
{
    expect_refusal("no/such/machine.yaml", "vecadd", "app.n=1", "no/such/machine.yaml", "No such file");
}

Test(errors_of_files, a_yaml_syntax_error)
{
    expect_bad_machine("blocks: {core: [\n", "bad.yaml:", "error[N");
}

Test(errors_of_files, a_misspelt_key)
{
    expect_bad_machine("blocks:\n  core:\n    parameters:\n      warsp: 4\n", "bad.yaml:7:7", "did you mean 'warps'");
}

Test(errors_of_files, a_wrong_unit)
{
    expect_bad_machine("blocks:\n  core:\n    parameters:\n      l1.bytes: 48 cycles\n", "bad.yaml:7:", "48 cycles");
}

Test(errors_of_files, an_unbound_port)
{
    expect_bad_machine("blocks:\n  spare: {kind: dram, type: banked, clock: memory}\n", "bad.yaml:5:3",
                       "port 'access' of 'spare' is not bound");
}

Test(errors_of_files, an_override_of_nothing)
{
    expect_refusal(SMALL, "vecadd", "core.warsp=4", "<command line>", "did you mean 'warps'");
}

Test(errors_of_files, parameters_that_a_block_refuses_together)
{
    expect_refusal(SMALL, "vecadd", "core.l1.bytes=100 KiB", "core");
}

Test(errors_of_files, an_app_that_is_not_there)
{
    expect_refusal(SMALL, "vecad", "app.n=1", "no app 'vecad'", "did you mean 'vecadd'");
}

Test(errors_of_files, a_misspelt_option_of_the_app)
{
    expect_refusal(SMALL, "vecadd", "app.sede=1", "no option 'sede'", "did you mean 'seed'");
}

Test(errors_of_files, an_option_that_is_no_number)
{
    expect_refusal(SMALL, "vecadd", "app.n=many", "app.n", "many");
}

Test(errors_of_files, an_app_whose_sources_are_not_complete)
{
    char *folder = folder_new(), *host = path_in(folder, "host.c"), *below = path_in(folder, "host.c/.");
    expect_refusal(SMALL, folder, "app.n=1", folder, "it needs host.c and kernel.c, or host.so and kernel.elf");
    file_write(host, "int hd_app_main(void);\n", 23);
    expect_refusal(SMALL, folder, "app.n=1", folder, "it needs host.c and kernel.c, or host.so and kernel.elf");
    expect_refusal(SMALL, host, "app.n=1", host, "it is no folder");
    expect_refusal(SMALL, below, "app.n=1", below, "no such folder");
    free(below);
    free(host);
    folder_remove(folder);
}

/* vecadd with other kernels. */
static void expect_bad_kernels(const char *elf, size_t bytes, const char *what)
{
    char *folder = folder_new(), *kernels = path_in(folder, "kernel.elf"), *host = path_in(folder, "host.so");
    file_copy(HEDDLE_APPS "/vecadd/host.so", host);
    file_write(kernels, elf, bytes);
    expect_refusal(SMALL, folder, "app.n=1", kernels, what);
    free(kernels);
    free(host);
    folder_remove(folder);
}

Test(errors_of_files, kernels_for_another_machine)
{
    size_t bytes;
    char *elf = file_read(HEDDLE_APPS "/vecadd/host.so", &bytes);
    expect_bad_kernels(elf, bytes, "x86-64");
    free(elf);
}

Test(errors_of_files, kernels_for_a_32_bit_machine_of_another_kind)
{
    size_t bytes;
    char *elf = file_read(HEDDLE_APPS "/vecadd/kernel.elf", &bytes);
    elf[18] = 40; /* e_machine: ARM */
    elf[19] = 0;
    expect_bad_kernels(elf, bytes, "ARM");
    free(elf);
}

Test(errors_of_files, truncated_kernels)
{
    size_t bytes;
    char *elf = file_read(HEDDLE_APPS "/vecadd/kernel.elf", &bytes);
    expect_bad_kernels(elf, 300, "truncated");
    expect_bad_kernels(elf, 20, "truncated");
    expect_bad_kernels(elf, 0, "kernel");
    free(elf);
}

Test(errors_of_files, kernels_that_are_not_there)
{
    char *folder = folder_new(), *host = path_in(folder, "host.so");
    file_copy(HEDDLE_APPS "/vecadd/host.so", host);
    expect_refusal(SMALL, folder, "app.n=1", "kernel.elf", "No such file");
    free(host);
    folder_remove(folder);
}

Test(errors_of_files, a_host_program_that_has_been_cut_short)
{
    char *folder = folder_new(), *host = path_in(folder, "host.so"), *kernels = path_in(folder, "kernel.elf");
    size_t bytes;
    char *whole = file_read(HEDDLE_APPS "/vecadd/host.so", &bytes);
    file_copy(HEDDLE_APPS "/vecadd/kernel.elf", kernels);
    file_write(host, whole, 3000);
    expect_refusal(SMALL, folder, "app.n=1", host, "the file has been cut short: it ends before its segments do");
    free(whole);
    free(host);
    free(kernels);
    folder_remove(folder);
}

Test(errors_of_files, a_host_program_that_is_no_shared_object)
{
    char *folder = folder_new(), *host = path_in(folder, "host.so"), *kernels = path_in(folder, "kernel.elf");
    file_copy(HEDDLE_APPS "/vecadd/kernel.elf", kernels);
    file_write(host, "text", 4);
    expect_refusal(SMALL, folder, "app.n=1", "host.so");
    free(host);
    free(kernels);
    folder_remove(folder);
}
