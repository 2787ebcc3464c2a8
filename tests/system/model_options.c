/* SPDX-License-Identifier: MIT */
/* What a link is told of the model from elsewhere at its end: addresses of a channel, phases that it does not know, no transport_dbg. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define PHASED SYSTEM_MACHINES "/phased.yaml"
#define WITH_PHASED(...) heddle("run", PHASED, "vecadd", "--plugin", AWKWARD_MODELS, "--set", "app.n=2000", __VA_ARGS__)

Test(model_options, a_memory_that_knows_four_phases_only_is_called_four_times)
{
    finished run = WITH_PHASED("--tlm=checked");
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
    run = heddle("run", SMALL, "vecadd", "--plugin", AWKWARD_MODELS, "--set", "app.n=2000", "--set",
                 "dram.type=phased_memory", "--set", "launch_align=false");
    expect_code(&run, 1);
    expect_error(&run, "phased_memory: an answer that is not TLM_ACCEPTED");
    finished_free(&run);
}

Test(model_options, the_phase_that_does_not_come_is_named)
{
    EXPECT_ERRORS(WITH_PHASED("--set", "dram.stops_at=END_REQ", "--set", "dram.from_request=3"),
                  "deadlock: nothing moves any more", ".access[0], a model from elsewhere: a ",
                  " is not accepted (no END_REQ); ");
    EXPECT_ERRORS(WITH_PHASED("--set", "dram.stops_at=BEGIN_RESP", "--set", "dram.from_request=3"),
                  "deadlock: nothing moves any more", ".access[0], a model from elsewhere: a ",
                  " is accepted and not answered (no BEGIN_RESP); ");
}

static void write_machine(const char *path, const char *option)
{
    char *text =
        text_of("heddle: 1\nname: options\nextends: " SMALL "\nblocks: {dram: {type: awkward_memory}}\n"
                "remove: [{from: l2.memory, to: dram.access}]\nlinks: [{from: l2.memory, to: dram.access%s}]\n",
                option);
    file_write(path, text, strlen(text));
    free(text);
}

static uint64_t highest_address(const char *option)
{
    char *folder = folder_new(), *path = path_in(folder, "database"), *machine = path_in(folder, "machine.yaml");
    char *database = text_of("dram.database=%s", path);
    write_machine(machine, option);
    finished run = heddle("run", machine, "vecadd", "--plugin", AWKWARD_MODELS, "--set", "app.n=2000", "--set",
                          database, "--tlm=checked");
    expect_code(&run, 0);
    char *read = file_read(path, NULL);
    const uint64_t highest = strtoull(strstr(read, "highest ") + 8, NULL, 10);
    free(read);
    free(database);
    free(machine);
    free(path);
    finished_free(&run);
    folder_remove(folder);
    return highest;
}

/* Two channels: what lies side by side in one is 256 bytes in turns in the machine. Data is right either way, also without time. */
Test(model_options, a_memory_may_have_the_addresses_of_its_channel)
{
    const uint64_t whole = highest_address(""), part = highest_address(", address: channel");
    cr_expect_eq(highest_address(", address: machine, early_completion: true, debug: required"), whole);
    cr_expect(part >= whole / 2 - 512 && part <= whole / 2 + 512, "0x%lx of 0x%lx", (unsigned long)part,
              (unsigned long)whole);
}

/* The app's data are dirty in the L2 when the second kernel starts, and what reads them finds them: each is written back once, by a
 * request that takes its time. `app`: one with several kernels. */
Test(model_options, a_memory_without_debug_transport_is_written_to_by_requests)
{
    static const char *const options[] = {", debug: absent", ", debug: absent, address: channel",
                                          ", debug: absent, early_completion: false"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char *folder = folder_new(), *machine = path_in(folder, "machine.yaml");
        write_machine(machine, options[i]);
        for (const char **how = (const char *[]){"--tlm=auto", "--tlm=checked", NULL}; *how; how++) {
            finished run = heddle("run", machine, "bfs", "--plugin", AWKWARD_MODELS, "--set", "dram.debug=none", *how);
            expect_code(&run, 0);
            expect_output(&run, "PASS");
            finished_free(&run);
        }
        free(machine);
        folder_remove(folder);
    }
}

static void expect_in_graph(const char *machine, const char *text)
{
    finished run = heddle("graph", machine, "--plugin", AWKWARD_MODELS);
    expect_code(&run, 0);
    expect_output(&run, text);
    finished_free(&run);
}

Test(model_options, options_of_a_link_are_in_results_and_in_pictures)
{
    char *folder = folder_new(), *machine = path_in(folder, "machine.yaml"), *path = path_in(folder, "stats.json");
    write_machine(machine, ", debug: absent, early_completion: false");
    expect_in_graph(machine, "<br align=\"left\"/>early_completion: false<br align=\"left\"/>debug: absent");
    finished run = heddle("run", machine, "vecadd", "--plugin", AWKWARD_MODELS, "--stats", path);
    expect_code(&run, 0);
    json_t *stats = stats_read(path), *link;
    size_t i, found = 0;
    json_array_foreach(stats_at(stats, "machine/links"), i, link)
    {
        const char *debug = json_string_value(json_object_get(link, "debug"));
        found += debug && !strcmp(debug, "absent") && !json_object_get(link, "address") &&
                 !strcmp(json_string_value(json_object_get(link, "early_completion")), "false");
    }
    cr_expect_eq(found, 2);
    json_decref(stats);
    finished_free(&run);
    free(path);
    free(machine);
    folder_remove(folder);
}

Test(model_options, options_of_a_link_that_make_no_sense_are_refused)
{
    static const char *const cases[][3] = {
        {"l2.memory", "to: dram.access, debug: never", "debug must be required or absent, not 'never'"},
        {"l2.memory", "to: dram.access, address: chanel", "address must be machine or channel, not 'chanel'"},
        {NULL, "to: dram.access, debug: absent",
         "debug on a link that is not of the memory protocol, with a SystemC model"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *folder = folder_new(), *machine = path_in(folder, "machine.yaml");
        char *text =
            text_of("heddle: 1\nname: options\nextends: " SMALL "\nremove: [{from: l2.memory, to: dram.access}]\n%s"
                    "links: [{from: l2.memory, %s}]\n",
                    cases[i][0] ? "blocks: {dram: {type: awkward_memory}}\n" : "", cases[i][1]);
        file_write(machine, text, strlen(text));
        finished run = heddle("check", machine, "--plugin", AWKWARD_MODELS);
        expect_code(&run, 2);
        expect_error(&run, cases[i][2]);
        finished_free(&run);
        free(text);
        free(machine);
        folder_remove(folder);
    }
}
