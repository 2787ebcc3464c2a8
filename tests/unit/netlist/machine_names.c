/* SPDX-License-Identifier: MIT */
#include "machine_names.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

TestSuite(netlist_machine_names, .init = bench_enter, .fini = bench_leave);

#define MACHINE                                                                                                        \
    "heddle: 1\nname: %s\nclocks: {core: 1 GHz}\n"                                                                     \
    "blocks: {a: {kind: crossbar, type: round_robin, clock: core}}\n"                                                  \
    "links: [{from: a.output, to: a.input}]\n"

static void put_machine(const char *path, const char *name)
{
    char text[256];
    snprintf(text, sizeof text, MACHINE, name);
    bench_text(path, text);
}

static void expect_machine(const char *asked, const char *name)
{
    char *errors;
    netlist *machine = netlist_load(asked, fake_registry(), NULL, 0, &errors);
    cr_expect(machine && !strcmp(machine->name, name), "%s is %s: %s", asked, machine ? machine->name : "none",
              errors ? errors : "");
    netlist_free(machine);
    free(errors);
}

static void expect_refused(const char *asked, const char *first_line, const char *part)
{
    char *errors = NULL;
    cr_expect_null(netlist_load(asked, fake_registry(), NULL, 0, &errors));
    cr_expect(errors && !strncmp(errors, first_line, strlen(first_line)), "%s", errors ? errors : "no error");
    cr_expect(errors && strstr(errors, part), "%s", errors ? errors : "no error");
    free(errors);
}

Test(netlist_machine_names, are_words_without_slash_and_extension)
{
    cr_expect(netlist_is_machine_name("gtx480"));
    cr_expect(netlist_is_machine_name("gtx480.5"));
    cr_expect_not(netlist_is_machine_name("gtx480.yaml"));
    cr_expect_not(netlist_is_machine_name("gtx480.yml"));
    cr_expect_not(netlist_is_machine_name("./gtx480"));
    cr_expect_not(netlist_is_machine_name("."));
    cr_expect_not(netlist_is_machine_name(".."));
    cr_expect_not(netlist_is_machine_name(""));
}

Test(netlist_machine_names, are_found_in_each_folder)
{
    cr_assert(!mkdir("machines", 0700) && !mkdir("first", 0700) && !mkdir("second", 0700));
    put_machine("plain", "plain");
    put_machine("here.yaml", "here");
    put_machine("machines/below.yaml", "below");
    put_machine("first/listed.yaml", "listed");
    put_machine("second/last.yaml", "last");
    setenv(NETLIST_MACHINES_VARIABLE, "first::nowhere:second", 1);
    expect_machine("plain", "plain");
    expect_machine("here", "here");
    expect_machine("below", "below");
    expect_machine("listed", "listed");
    expect_machine("last", "last");
    unsetenv(NETLIST_MACHINES_VARIABLE);
    expect_refused("listed", "listed:1:1: error[N01]: there is no machine 'listed'\n", "'heddle list machines'");
    expect_refused("belwo", "belwo:1:1: error[N01]: there is no machine 'belwo'\n", "did you mean 'below'?");
}

Test(netlist_machine_names, of_several_files_are_refused_and_of_one_file_twice_are_not)
{
    cr_assert(!mkdir("machines", 0700) && !symlink("machines", "again"));
    put_machine("machines/one.yaml", "one");
    setenv(NETLIST_MACHINES_VARIABLE, "again:machines:.", 1);
    expect_machine("one", "one");
    cr_assert(!symlink("machines/one.yaml", "one.yaml"));
    expect_machine("one", "one");
    cr_assert(!unlink("one.yaml"));
    put_machine("one.yaml", "other");
    expect_refused("one", "one:1:1: error[N50]: 'one' is the name of 2 machines\n",
                   "note: ./one.yaml\nnote: machines/one.yaml\nnote: a path says which one is meant\n");
    expect_machine("./one.yaml", "other");
    expect_machine("one.yaml", "other");
    unsetenv(NETLIST_MACHINES_VARIABLE);
}

Test(netlist_machine_names, stand_beside_the_file_that_extends_them_which_is_not_meant_itself)
{
    cr_assert(!mkdir("machines", 0700) && !mkdir("machines/machines", 0700) && !mkdir("shared", 0700));
    put_machine("base.yaml", "wrong");
    put_machine("machines/machines/base.yaml", "right");
    bench_text("machines/child.yaml", "heddle: 1\nextends: base\n");
    expect_machine("machines/child.yaml", "right");
    put_machine("shared/base2.yaml", "shared");
    bench_text("base2.yaml", "heddle: 1\nextends: base2\n");
    setenv(NETLIST_MACHINES_VARIABLE, "shared", 1);
    expect_machine("base2.yaml", "shared");
    unsetenv(NETLIST_MACHINES_VARIABLE);
    expect_refused("base2.yaml", "base2.yaml:2:10: error[N01]: there is no machine 'base2'\n", "^~~~~");
}

Test(netlist_machine_names, are_no_folders)
{
    cr_assert(!mkdir("machines", 0700) && !mkdir("run", 0700));
    put_machine("machines/run.yaml", "run");
    expect_machine("run", "run");
    cr_assert(!unlink("machines/run.yaml"));
    expect_refused("run", "run:1:1: error[N01]: cannot read 'run': Is a directory\n", "");
}

Test(netlist_machine_names, are_listed_with_what_they_extend_by_folder)
{
    char *text;
    size_t bytes;
    cr_assert(!mkdir("machines", 0700));
    bench_text("machines/large.yaml", "heddle: 1\nextends: ../small.yaml\ndescription: more of it\n");
    bench_text("small.yaml", "heddle: 1\ndescription: little\nblocks: {}\n");
    bench_text("sweep.yaml", "sweep: 1\nname: x\n");
    bench_text("device.yaml", "heddle: 1\nparameters: {}\n");
    bench_text("broken.yaml", "heddle: [1\n");
    FILE *out = open_memstream(&text, &bytes);
    cr_expect_eq(netlist_list_machines(NULL, TEXT_PLAIN, out), 2);
    cr_expect_eq(netlist_list_machines("l*", TEXT_PLAIN, out), 1);
    cr_expect_eq(netlist_list_machines("x*", TEXT_PLAIN, out), 0);
    fclose(out);
    cr_expect_str_eq(text, ".\n  small    little\n\nmachines\n  large  small  more of it\n"
                           "machines\n  large  small  more of it\n");
    free(text);
}
