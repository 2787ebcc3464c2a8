/* SPDX-License-Identifier: MIT */
/* What the host CPU runs is a file of the user's: without an app, or beside an app's kernels. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define NATIVE SYSTEM_MACHINES "/small.yaml"
#define FIRMWARE SYSTEM_MACHINES "/firmware.yaml"
#define HARTS SYSTEM_MACHINES "/harts.yaml"
#define PASSES OWN_FIRMWARE "/passes.elf"
#define FAILS OWN_FIRMWARE "/fails.elf"

static void expect(finished run, int code, const char *output, const char *error)
{
    expect_code(&run, code);
    if (output)
        expect_output(&run, output);
    if (error)
        expect_error(&run, error);
    finished_free(&run);
}

Test(own_firmware, runs_alone_and_says_how_it_ended)
{
    char *folder = folder_new(), *file = path_in(folder, "stats.json");
    finished run = heddle("run", FIRMWARE, "--firmware", PASSES, "--stats", file);
    expect_code(&run, 0);
    expect_output(&run, "hello from firmware alone\n");
    expect_output(&run, "PASS  passes on firmware\n");
    finished_free(&run);
    json_t *stats = stats_read(file);
    cr_expect_str_eq(json_string_value(stats_at(stats, "app/name")), "passes");
    cr_expect_gt(json_integer_value(stats_at(stats, "blocks/cpu/total/instructions")), 100);
    cr_expect_eq(json_array_size(stats_at(stats, "kernels")), 0);
    json_decref(stats);
    expect(heddle("run", FIRMWARE, "--firmware", FAILS), 1, "FAIL  fails on firmware\n", NULL);
    free(file);
    folder_remove(folder);
}

/* The app's own, from another place: kernels and options are the app's. */
Test(own_firmware, stands_in_the_place_of_the_apps)
{
    char *folder = folder_new(), *mine = path_in(folder, "mine.json"), *its = path_in(folder, "its.json");
    char *copy = path_in(folder, "copy.elf"), *command = text_of("cp %s/vecadd/firmware.elf %s", HEDDLE_APPS, copy);
    cr_assert_eq(system(command), 0);
    expect(heddle("run", FIRMWARE, "vecadd", "--firmware", copy, "--set", "app.n=300", "--stats", mine), 0,
           "PASS  vecadd on firmware\n", NULL);
    expect(heddle("run", FIRMWARE, "vecadd", "--set", "app.n=300", "--stats", its), 0, NULL, NULL);
    json_t *of_mine = stats_read(mine), *of_its = stats_read(its);
    expect_same_stats(of_mine, of_its);
    json_decref(of_mine);
    json_decref(of_its);
    expect(heddle("run", FIRMWARE, "vecadd", "--firmware", FAILS), 1, "FAIL  vecadd on firmware\n", NULL);
    free(command);
    free(copy);
    free(its);
    free(mine);
    folder_remove(folder);
}

/* Characters of a file and those of standard input make the same run. */
Test(own_firmware, reads_what_is_typed)
{
    char *folder = folder_new(), *typed = path_in(folder, "typed"), *of_file = path_in(folder, "file.json");
    char *of_input = path_in(folder, "input.json"), *set = text_of("uart.input=%s", typed);
    file_write(typed, "one two.three", 13);
    expect(heddle("run", FIRMWARE, "--firmware", OWN_FIRMWARE "/echoes.elf", "--set", set, "--stats", of_file), 0,
           "hello from firmware alone\none two\nPASS  echoes on firmware\n", NULL);
    char *command =
        text_of("%s run %s --firmware %s/echoes.elf --set uart.input=stdin --stats %s --quiet --tlm=checked < %s",
                HEDDLE_COMMAND, FIRMWARE, OWN_FIRMWARE, of_input, typed);
    cr_expect_eq(system(command), 0);
    json_t *file = stats_read(of_file), *input = stats_read(of_input);
    cr_expect_eq(json_integer_value(stats_at(file, "blocks/uart/total/received")), 8);
    json_object_del((json_t *)file, "machine");
    json_object_del((json_t *)input, "machine");
    expect_same_stats(file, input);
    json_decref(file);
    json_decref(input);
    expect(heddle("run", FIRMWARE, "--firmware", PASSES, "--set", "uart.input=/nowhere"), 2, NULL,
           "block 'uart' (uart/transmitter) refuses its parameters: input: /nowhere cannot be read");
    free(command);
    free(set);
    free(of_input);
    free(of_file);
    free(typed);
    folder_remove(folder);
}

/* Asleep until an interrupt of the UART: for each character, and for each that has been sent. */
Test(own_firmware, is_woken_by_what_is_typed)
{
    char *folder = folder_new(), *typed = path_in(folder, "typed"), *of_file = path_in(folder, "file.json");
    char *of_input = path_in(folder, "input.json"), *set = text_of("uart.input=%s", typed);
    file_write(typed, "wake up.no more", 15);
    expect(heddle("run", FIRMWARE, "--firmware", OWN_FIRMWARE "/woken.elf", "--set", set, "--stats", of_file), 0,
           "wake up\nthat is all\nPASS  woken on firmware\n", NULL);
    char *command = text_of("%s run %s --firmware %s/woken.elf --set uart.input=stdin --stats %s --quiet < %s",
                            HEDDLE_COMMAND, FIRMWARE, OWN_FIRMWARE, of_input, typed);
    cr_expect_eq(system(command), 0);
    json_t *file = stats_read(of_file), *input = stats_read(of_input);
    cr_expect_eq(json_integer_value(stats_at(file, "blocks/uart/total/received")), 8);
    cr_expect_geq(json_integer_value(stats_at(file, "blocks/cpu/total/interrupts_taken")), 8 + 14);
    cr_expect_gt(json_integer_value(stats_at(file, "blocks/cpu/total/sleep_cycles")), 100);
    json_object_del((json_t *)file, "machine");
    json_object_del((json_t *)input, "machine");
    json_object_del((json_t *)file, "host");
    json_object_del((json_t *)input, "host");
    expect_same_stats(file, input);
    json_decref(file);
    json_decref(input);
    file_write(typed, "no stop", 7);
    expect(heddle("run", FIRMWARE, "--firmware", OWN_FIRMWARE "/woken.elf", "--set", set), 1, NULL,
           "the firmware sleeps until an interrupt (wfi), at pc 0x80000000");
    free(command);
    free(set);
    free(of_input);
    free(of_file);
    free(typed);
    folder_remove(folder);
}

static void expect_harts(const char *firmware, const char *harts, int code, const char *output)
{
    char *cpu = text_of("cpu.harts=%s", harts), *timer = text_of("timer.harts=%s", harts);
    expect(heddle("run", HARTS, "--firmware", firmware, "--set", cpu, "--set", timer, "--set", "limit=2 ms"), code,
           output, code ? "failure" : NULL);
    free(timer);
    free(cpu);
}

Test(own_firmware, runs_on_several_harts)
{
    expect_harts(OWN_FIRMWARE "/four_harts.elf", "4", 0, "PASS  four_harts on harts\n");
    expect_harts(OWN_FIRMWARE "/two_harts.elf", "2", 0, "PASS  two_harts on harts\n");
    expect_harts(OWN_FIRMWARE "/one_hart.elf", "1", 0, "PASS  one_hart on harts\n");
    expect(heddle("run", FIRMWARE, "--firmware", OWN_FIRMWARE "/one_hart.elf"), 0, "PASS  one_hart on firmware\n",
           NULL);
    expect(heddle("run", FIRMWARE, "--firmware", OWN_FIRMWARE "/two_harts.elf", "--set", "limit=2 ms"), 1, NULL,
           "store at 0x18000000004, where nothing answers");
    expect(heddle("run", HARTS, "vecadd", "--set", "app.n=300"), 0, "PASS  vecadd on harts\n", NULL);
}

/* Said once, however many links there are. */
Test(own_firmware, has_a_timer_and_interrupts_for_all_harts)
{
    char *folder = folder_new(), *file = path_in(folder, "few.yaml");
    char *text = text_of("heddle: 1\nname: few\nextends: %s\nblocks:\n  timer:\n    parameters: {harts: 2}\n", HARTS);
    file_write(file, text, strlen(text));
    finished run = heddle("run", file, "--firmware", OWN_FIRMWARE "/one_hart.elf");
    expect_code(&run, 2);
    expect_error(&run, "few.yaml:6:25: error[N");
    expect_error(&run, "block 'timer' (timer/clint) refuses its parameters: it has registers for 2 of the 4 harts of "
                       "'cpu', to which it is linked");
    expect_error(&run, "note: 'harts' of block 'cpu' is 4 here");
    cr_expect_null(strstr(strstr(run.err, "refuses") + 1, "refuses"), "%s", run.err);
    finished_free(&run);
    expect(
        heddle("run", HARTS, "--firmware", OWN_FIRMWARE "/one_hart.elf", "--set", "interrupts.harts=1"), 2, NULL,
        "block 'interrupts' (interrupt_controller/plic) refuses its parameters: it has registers for 1 of the 4 harts");
    free(text);
    free(file);
    folder_remove(folder);
}

Test(own_firmware, that_fails_without_a_word_is_told)
{
    expect(heddle("run", FIRMWARE, "--firmware", FAILS), 1, NULL,
           "error: the program ended with failure and gave no reason\n");
    expect(
        heddle("run", FIRMWARE, "--firmware", OWN_FIRMWARE "/calls.elf"), 1, NULL,
        "error: firmware: ecall, and there is no trap handler: mtvec is 0x0, which is not in RAM\n  pc 0x8000000000");
}

Test(own_firmware, that_begins_at_an_odd_address_is_refused)
{
    char *folder = folder_new(), *odd = path_in(folder, "odd.elf");
    size_t bytes;
    char *elf = file_read(PASSES, &bytes);
    elf[24] |= 1; /* e_entry */
    file_write(odd, elf, bytes);
    expect(heddle("run", FIRMWARE, "--firmware", odd), 2, NULL, "odd.elf: begins at an odd address");
    free(elf);
    free(odd);
    folder_remove(folder);
}

Test(own_firmware, that_cannot_be_run_is_one_error)
{
    expect(heddle("run", FIRMWARE, "--firmware", PASSES, "--firmware", FAILS), 2, NULL,
           "--firmware is given twice: " PASSES " and " FAILS);
    expect(heddle("run", NATIVE, "--firmware", PASSES), 2, NULL,
           "the host of the machine runs no firmware: it has no block of kind host_cpu, type rv64, that could run ");
    expect(heddle("run", NATIVE, "vecadd", "--firmware", PASSES), 2, NULL, "the host of the machine runs no firmware");
    expect(heddle("run", "vector_core", "--firmware", PASSES), 2, NULL,
           "host_cpu, type native or rv64, to run an app on");
    expect(heddle("run", FIRMWARE, "--firmware", "/nowhere.elf"), 2, NULL,
           "error: /nowhere.elf: No such file or directory");
    expect(heddle("run", FIRMWARE, "--firmware", FIRMWARE), 2, NULL, "firmware.yaml: not an ELF file");
    expect(heddle("run", FIRMWARE, "--firmware", HEDDLE_APPS "/vecadd/kernel.elf"), 2, NULL,
           "kernel.elf: not code for 64-bit little-endian RISC-V");
    expect(heddle("run", FIRMWARE, "--firmware", PASSES, "--set", "app.n=3"), 2, NULL, "no app is given");
    expect(heddle("run", FIRMWARE, "--firmware", PASSES, "--set", "cpu.ram.bytes=4 KiB"), 0, "PASS  passes", NULL);
    expect(heddle("run", FIRMWARE, "--firmware", OWN_FIRMWARE "/elsewhere.elf"), 2, NULL,
           "which is not in the RAM of the host CPU");
    expect(heddle("run", FIRMWARE, "--firmware", PASSES, "--profile", "--out", "/tmp"), 2, NULL, "and there is no app");
    expect(heddle("run", FIRMWARE), 2, NULL, "no app is given, and no block of the machine makes work of its own");
}
