/* SPDX-License-Identifier: MIT */
#include "program_names.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

TestSuite(netlist_program_names, .init = bench_enter, .fini = bench_leave);

static void expect_path(const char *word, const char *path)
{
    arena memory = {0};
    cr_expect_str_eq(netlist_program_path(&memory, word), path);
    arena_free(&memory);
}

Test(netlist_program_names, are_words_without_slash_and_extension)
{
    cr_assert(!mkdir("first", 0700) && !mkdir("first/folder.elf", 0700));
    bench_text("first/one.elf", "1");
    bench_text("one", "here");
    setenv(NETLIST_PROGRAMS_VARIABLE, "first", 1);
    expect_path("one", "first/one.elf");
    expect_path("./one", "./one");
    expect_path("one.elf", "one.elf");
    expect_path("folder", "folder");
    expect_path("two", "two");
    expect_path("", "");
    unsetenv(NETLIST_PROGRAMS_VARIABLE);
    expect_path("one", "one");
}

Test(netlist_program_names, are_those_of_the_first_folder_that_has_them)
{
    cr_assert(!mkdir("first", 0700) && !mkdir("second", 0700));
    bench_text("first/one.elf", "1");
    bench_text("second/one.elf", "2");
    bench_text("second/two.elf", "2");
    setenv(NETLIST_PROGRAMS_VARIABLE, ":nowhere:first:second", 1);
    expect_path("one", "first/one.elf");
    expect_path("two", "second/two.elf");
    setenv(NETLIST_PROGRAMS_VARIABLE, "second:first", 1);
    expect_path("one", "second/one.elf");
    unsetenv(NETLIST_PROGRAMS_VARIABLE);
}
