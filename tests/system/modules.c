/* SPDX-License-Identifier: MIT */
/* Machines that are modules of somebody's SystemC design, which has CPUs, memories and a clock of its own (tests/plugin/outer_platform). */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define KERNELS HEDDLE_APPS "/vecadd/kernel.elf"
#define FIRMWARE SYSTEM_MACHINES "/firmware.yaml"
#define FIRMWARE_DMA SYSTEM_MACHINES "/firmware_dma.yaml"

#define WORDS_MAX 16
static finished platform(const char *machine, const char *const *more)
{
    char *folder = folder_new();
    const char *words[WORDS_MAX] = {OUTER_PLATFORM, machine, KERNELS};
    for (size_t i = 3; *more && i < WORDS_MAX - 1; i++)
        words[i] = *more++;
    finished run = heddle_wait(folder, program_start(folder, words));
    folder_remove(folder);
    return run;
}
#define PLATFORM(machine, ...) platform(machine, (const char *const[]){__VA_ARGS__, NULL})

/* When that CPU was done, to be freed. */
static char *end_of(const finished *run, const char *cpu)
{
    char *found = strstr(run->out, cpu);
    cr_assert_not_null(found, "%s:\n%s\n%s", cpu, run->out, run->err);
    return text_of("%.*s", (int)strcspn(found + strlen(cpu), "\n"), found + strlen(cpu));
}

static char *end_with(const char *first, const char *second, const char *third)
{
    finished run = PLATFORM(FIRMWARE, first, second, third);
    expect_code(&run, 0);
    char *end = end_of(&run, "cpu_0 is done at ");
    finished_free(&run);
    return end;
}

Test(modules, reports_of_the_design_stay_its_own)
{
    finished run = PLATFORM(FIRMWARE, "devices=1");
    expect_code(&run, 0);
    expect_output(&run, "Info: platform: the platform is built");
    expect_output(&run, "Warning: platform: it is an example");
    expect_output(&run, "Info: platform: cpu_0 is done at ");
    finished_free(&run);
}

/* How far machines run ahead, who else has events, and how sc_start is cut into slices makes no difference. */
Test(modules, are_exact_whatever_is_around_them)
{
    char *expected = end_with("quiet", "ahead=0", "devices=1");
    static const char *const ways[][3] = {{"devices=1", "slice=777", "ahead=0"},
                                          {"quiet", "slice=777", "ahead=0"},
                                          {"quiet", "ahead=100000", "devices=1"},
                                          {"devices=3", "ahead=0", "quiet"},
                                          {"devices=2", "ahead=1000", "slice=100000"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char *end = end_with(ways[i][0], ways[i][1], ways[i][2]);
        cr_expect_str_eq(end, expected, "%s %s %s", ways[i][0], ways[i][1], ways[i][2]);
        free(end);
    }
    free(expected);
}

/* The quantum is that of the CPU: how often it synchronises changes nothing of what each access takes. */
Test(modules, honour_the_quantum_of_who_is_loosely_timed)
{
    char *exact = end_with("quantum=0", "quiet", "devices=1"), *loose = end_with("quantum=10000", "quiet", "devices=1");
    cr_expect_str_eq(exact, loose);
    free(loose);
    free(exact);
}

static json_t *stats_with(const char *machine, const char *const *more, int outside)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json"), *word = text_of("stats=%s", path);
    finished run = outside ? PLATFORM(machine, word, more[0])
                           : heddle("run", machine, "vecadd", "--plugin", FOREIGN_CPU, "--set", "cpu.kernels=" KERNELS,
                                    "--stats", path);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(word);
    free(path);
    folder_remove(folder);
    return stats;
}

/* The same CPU inside, as a plug-in, and outside. It ends by the exit device there, and not here. */
Test(modules, do_what_the_machine_does_by_itself)
{
    static const char *const one[] = {"devices=1"};
    json_t *inside = stats_with(SYSTEM_MACHINES "/foreign_cpu.yaml", one, 0), *outside = stats_with(FIRMWARE, one, 1);
    static const char *const same[] = {"blocks/command_processor", "blocks/l2", "blocks/tb_scheduler",
                                       "blocks/interrupts", "blocks/request_network"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char *total = text_of("%s/total", same[i]);
        const char *name;
        json_t *value;
        json_object_foreach((json_t *)(uintptr_t)stats_at(inside, total), name, value)
        {
            char *path = text_of("%s/%s", total, name);
            cr_expect(json_equal(value, stats_at(outside, path)), "%s", path);
            free(path);
        }
        free(total);
    }
    cr_expect_gt(json_integer_value(stats_at(outside, "blocks/core/total/warp_instructions")), 0);
    cr_expect_str_eq(json_string_value(stats_at(outside, "status")), "pass");
    json_decref(inside);
    json_decref(outside);
}

Test(modules, access_the_memory_of_the_design)
{
    finished run = PLATFORM(FIRMWARE_DMA, "copies", "devices=2");
    expect_code(&run, 0);
    char *first = end_of(&run, "cpu_0 is done at "), *second = end_of(&run, "cpu_1 is done at ");
    cr_expect_str_eq(first, second, "two that do the same");
    free(first);
    free(second);
    finished_free(&run);
}

static char *end_through(const char *const *how)
{
    const char *const words[] = {"copies", "through", how[0], how[1], NULL};
    finished run = platform(FIRMWARE_DMA, words);
    expect_code(&run, 0);
    char *end = end_of(&run, "cpu_0 is done at ");
    finished_free(&run);
    return end;
}

/* The DMA engine of one reaches the memory of the design over the bus of another one, and it takes its time there. */
Test(modules, are_exact_when_they_are_bound_to_each_other)
{
    static const char *const ways[][2] = {
        {"quiet", "ahead=0"}, {"quiet", "ahead=100000"}, {"devices=1", "ahead=1000"}, {"slice=777", "ahead=0"}};
    finished run = PLATFORM(FIRMWARE_DMA, "copies", "quiet");
    char *alone = end_of(&run, "cpu_0 is done at "), *expected = end_through(ways[0]);
    cr_expect_str_neq(expected, alone);
    for (size_t i = 1; i < sizeof ways / sizeof *ways; i++) {
        char *end = end_through(ways[i]);
        cr_expect_str_eq(end, expected, "%s %s", ways[i][0], ways[i][1]);
        free(end);
    }
    free(expected);
    free(alone);
    finished_free(&run);
}

Test(modules, say_who_never_answers)
{
    finished run = PLATFORM(FIRMWARE_DMA, "copies", "deaf", "set=watchdog=50 us");
    expect_code(&run, 1);
    expect_error(&run, "Error: heddle: livelock: no progress since ");
    expect_error(&run,
                 "cpu.memory, a model from elsewhere: a write of 256 bytes at 0x80001000, begun by bus.target[5] at ");
    finished_free(&run);
    run = PLATFORM(FIRMWARE_DMA, "copies", "deaf", "quiet", "set=watchdog=50 us");
    expect_code(&run, 1);
    expect_error(&run, "Error: heddle: livelock: no progress since ");
    finished_free(&run);
}

Test(modules, that_cannot_be_built_are_told_to_who_builds_them)
{
    finished run = PLATFORM(FIRMWARE, "set=core.wraps=3");
    cr_expect_neq(run.code, 0);
    cr_expect(strstr(run.out, "wraps") || strstr(run.err, "wraps"), "%s\n%s", run.out, run.err);
    finished_free(&run);
    run = PLATFORM("nowhere.yaml", "devices=1");
    cr_expect_neq(run.code, 0);
    cr_expect(strstr(run.out, "nowhere.yaml") || strstr(run.err, "nowhere.yaml"), "%s\n%s", run.out, run.err);
    finished_free(&run);
}
