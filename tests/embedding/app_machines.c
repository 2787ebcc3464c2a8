/* SPDX-License-Identifier: MIT */
/* Machines whose own host runs an app or firmware; this program only looks. */
#define _GNU_SOURCE /* asprintf */
#include "embedding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static heddle_settings app_machine(const char *netlist, const char *app, const char *const *overrides, size_t count)
{
    return (heddle_settings){.struct_bytes = sizeof(heddle_settings),
                             .netlist = netlist,
                             .app = app,
                             .overrides = overrides,
                             .override_count = count};
}

/* But for what depends on the process. */
static char *without_host(const char *text)
{
    char *copy = strdup(text), *host = strstr(copy, "\"host\": {\n  \"build\"");
    if (host)
        *host = '\0';
    return copy;
}

static char *results_of(heddle_machine *machine)
{
    const char *text;
    REQUIRE(heddle_results(machine, &text));
    return without_host(text);
}

/* What `heddle run` says of the same. */
static char *results_of_command(const char *netlist)
{
    char *command, *text = calloc(1, 1 << 20);
    cr_assert_gt(asprintf(&command, "%s run %s %s --set app.n=700 --quiet --stats /dev/stdout", EMBEDDING_COMMAND,
                          netlist, EMBEDDING_APP),
                 0);
    FILE *out = popen(command, "r");
    cr_assert(out && fread(text, 1, (1 << 20) - 1, out) > 1000);
    cr_expect_eq(pclose(out), 0);
    free(command);
    char *results = without_host(text);
    free(text);
    return results;
}

static void run_as_the_command_does(const char *netlist)
{
    static const char *const sets[] = {"app.n=700"};
    char *expected = results_of_command(netlist);
    for (uint32_t in_steps = 0; in_steps < 2; in_steps++) {
        const heddle_settings settings = app_machine(netlist, EMBEDDING_APP, sets, 1);
        heddle_machine *machine;
        REQUIRE(heddle_open(&settings, &machine));
        if (in_steps)
            for (uint32_t i = 0; i < 30; i++)
                EXPECT(heddle_advance_for(machine, 333333));
        EXPECT(heddle_wait(machine));
        const uint64_t ended = now(machine);
        EXPECT(heddle_wait(machine));
        EXPECT(heddle_advance_for(machine, 1000000));
        cr_expect_eq(now(machine), ended);
        char *results = results_of(machine);
        cr_expect(!strcmp(results, expected), "the results of %s differ", netlist);
        free(results);
        EXPECT(heddle_close(machine));
    }
    free(expected);
}

Test(app_machines, run_firmware_as_the_command_does)
{
    run_as_the_command_does(EMBEDDING_FIRMWARE);
}

Test(app_machines, run_a_native_app_as_the_command_does)
{
    run_as_the_command_does(EMBEDDING_MACHINE);
}

Test(app_machines, run_an_elf_file_and_print)
{
    heddle_settings settings = app_machine(EMBEDDING_FIRMWARE, EMBEDDING_APP, NULL, 0);
    heddle_machine *machine;
    settings.firmware = EMBEDDING_APP "/firmware.elf";
    REQUIRE(heddle_open(&settings, &machine));
    EXPECT(heddle_wait(machine));
    cr_expect_gt(value_of(machine, "core.warp_instructions"), 0);
    EXPECT(heddle_close(machine));
    settings.firmware = "nowhere.elf";
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_NETLIST, "nowhere.elf");
    settings.netlist = EMBEDDING_MACHINE;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_NETLIST, "runs no firmware");
}

Test(app_machines, refuse_options_that_the_app_has_not)
{
    static const char *const bad[] = {"app.m=1"}, *const no_number[] = {"app.n=many"}, *const no_value[] = {"app.n"};
    heddle_machine *machine;
    heddle_settings settings = app_machine(EMBEDDING_MACHINE, EMBEDDING_APP, bad, 1);
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_NETLIST, "the app has no option 'm'");
    settings.overrides = no_number;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_NETLIST, "app.n is 'many'");
    settings.overrides = no_value;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "must be app.NAME=VALUE");
    settings.override_count = 0;
    settings.app = "/nowhere";
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_NETLIST, "/nowhere");
}

/* Time stands where it came to at the end, and the program is told so. */
Test(app_machines, that_come_to_a_limit_are_an_error)
{
    static const char *const sets[] = {"limit=5 us"};
    heddle_settings settings = app_machine(EMBEDDING_FIRMWARE, EMBEDDING_APP, sets, 1);
    heddle_machine *machine;
    REQUIRE(heddle_open(&settings, &machine));
    expect_refusal(heddle_wait(machine), HEDDLE_ERROR_LIMIT, "limit of simulated time");
    EXPECT(heddle_close(machine));
}

/* Everything that only a host can ask for. */
Test(app_machines, have_a_host_of_their_own)
{
    const heddle_settings settings = app_machine(EMBEDDING_FIRMWARE, EMBEDDING_APP, NULL, 0);
    heddle_machine *machine;
    heddle_address address;
    heddle_queue *queue;
    heddle_event *event;
    heddle_kernel *kernel;
    heddle_program *program;
    heddle_launch_record record;
    heddle_launch_times times = {.struct_bytes = sizeof times};
    heddle_limits limits = {.struct_bytes = sizeof limits};
    uint32_t word;
    void *memory;
    REQUIRE(heddle_open(&settings, &machine));
    const heddle_error refusals[] = {heddle_allocate(machine, 4, &address),
                                     heddle_free(machine, 0x10000000),
                                     heddle_copy_to_device(machine, 0x10000000, &word, 4),
                                     heddle_copy_from_device(machine, &word, 0x10000000, 4),
                                     heddle_copy_on_device(machine, 0x10000000, 0x10000000, 4),
                                     heddle_fill(machine, 0x10000000, 0, 4),
                                     heddle_load(machine, EMBEDDING_KERNELS),
                                     heddle_load_image(machine, "x", 1),
                                     heddle_program_load(machine, "x", 1, &program),
                                     heddle_kernel_named(machine, "vecadd", &kernel),
                                     heddle_variable(machine, "x", &address, NULL),
                                     heddle_set_stack(machine, 128),
                                     heddle_default_queue(machine, &queue),
                                     heddle_queue_create(machine, &queue),
                                     heddle_event_create(machine, &event),
                                     heddle_launch_info(machine, 0, &record),
                                     heddle_launch_times_get(machine, 0, &times),
                                     heddle_launch_wait(machine, 0),
                                     heddle_map(machine, 0x10000000, 4, HEDDLE_MAP_READ, &memory),
                                     heddle_unmap(machine, &word),
                                     heddle_report(machine, "x", 1)};
    for (uint32_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        cr_expect_eq(refusals[i], HEDDLE_ERROR_HOST, "%u: %u", i, refusals[i]);
    EXPECT(heddle_advance_for(machine, 10000));
    EXPECT(heddle_limits_get(machine, &limits));
    EXPECT(heddle_peek(machine, &word, 0x10000000, 4));
    expect_refusal(heddle_peek(machine, &word, 0x1000, 4), HEDDLE_ERROR_RANGE, "outside device memory");
    EXPECT(heddle_close(machine));
}
