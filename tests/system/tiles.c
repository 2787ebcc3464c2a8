/* SPDX-License-Identifier: MIT */
/* A program in two phases on machines of tiles: what it computes, what it takes, and what the machine finds if it forgets to flush. */
#include <criterion/criterion.h>
#include <string.h>

#include "machine_run.h"
#include "stats.h"

#define SMALL HEDDLE_MACHINES "/../tiles/tile_2x4.yaml"
#define FULL HEDDLE_MACHINES "/../tiles/tile_16x16.yaml"
#define PRODUCT HEDDLE_APPS "/tile_product"

static const char *const small_sets[] = {"app.pes=8", "app.n=500", "app.chunk=24", "app.rounds=3", NULL};

static machine_run run(const char *machine, const char *app, const char *const *sets)
{
    return run_machine(&(run_request){.netlist = machine, .app = app, .sets = sets});
}

static json_int_t number(const machine_run *of, const char *path)
{
    return json_integer_value(stats_at(of->results, path));
}
#define FABRIC(of, name) number(of, "blocks/fabric/total/" name)

Test(tiles, links_threads_of_calls_and_turns_make_no_difference)
{
    machine_run plain = run(SMALL, PRODUCT, small_sets);
    machine_run calls = run_machine(
        &(run_request){.netlist = SMALL, .app = PRODUCT, .sets = small_sets, .tlm = {.always = 1, .checked = 1}});
    machine_run disturbed =
        run_machine(&(run_request){.netlist = SMALL, .app = PRODUCT, .sets = small_sets, .disturbance = 7});
    cr_assert_eq(plain.outcome, HD_OUTCOME_PASS, "%s", plain.message);
    expect_same_stats(plain.results, calls.results);
    expect_same_stats(plain.results, disturbed.results);
    run_free(&plain);
    run_free(&calls);
    run_free(&disturbed);
}

/* The host compares every sum with its own: so do runs of the plain form on other cores. */
Test(tiles, the_same_sums_as_on_other_cores)
{
    static const char *const plain[] = {"app.n=500", "app.chunk=24", "app.rounds=3", NULL};
    static const char *const machines[] = {HEDDLE_MACHINES "/../variants/gtx480_functional.yaml",
                                           HEDDLE_MACHINES "/gtx480.yaml"};
    for (size_t i = 0; i < 2; i++) {
        machine_run other = run(machines[i], PRODUCT, plain);
        cr_expect_eq(other.outcome, HD_OUTCOME_PASS, "%s", other.message);
        run_free(&other);
    }
}

Test(tiles, half_of_the_pes_add_and_crossbars_take_ten_cycles)
{
    static const char *const sets[] = {"app.pes=256", "app.n=8192", "app.chunk=32", NULL};
    machine_run full = run(FULL, PRODUCT, sets);
    cr_assert_eq(full.outcome, HD_OUTCOME_PASS, "%s", full.message);
    cr_expect_eq(number(&full, "app/reports/adding_pes"), 128);
    cr_expect_eq(FABRIC(&full, "reconfigurations"), 2 * 16);
    cr_expect_eq(FABRIC(&full, "reconfigure_cycles"), 10 * 2 * 16);
    cr_expect_eq(FABRIC(&full, "mode_changes"), 16 * 8 * 2, "half of the banks, there and back");
    cr_expect_gt(FABRIC(&full, "gated_cycles"), 128 * 1000);
    run_free(&full);
}

static void expect_found(const char *forgets, const char *what)
{
    const char *const sets[] = {"app.pes=8", "app.n=512", "app.rounds=3", forgets, NULL};
    machine_run found = run(SMALL, PRODUCT, sets);
    cr_expect_eq(found.outcome, HD_OUTCOME_FAULT);
    cr_expect(strstr(found.message, what), "%s", found.message);
    cr_expect(strstr(found.message, "kernel tile_product, pc 0x1000"), "%s", found.message);
    cr_expect(strstr(found.message, "kernel.c:") || strstr(found.message, "simt.h:"), "%s",
              found.message); /* registers are read there */
    run_free(&found);
}

Test(tiles, of_other_pes_than_are_linked_are_refused)
{
    machine_run found = run(SMALL, PRODUCT, (const char *const[]){"fabric.pes=3", NULL});
    cr_expect_eq(found.outcome, HD_OUTCOME_FAULT);
    cr_expect(strstr(found.message, "fabric has 2 tiles of 3 PEs, and links of 8 PEs"), "%s", found.message);
    run_free(&found);
}

Test(tiles, what_is_forgotten_is_found)
{
    expect_found("app.forgets=1", "has stored them and not written them back");
    expect_found("app.forgets=2", "its cache has kept them since before tile");
    expect_found("app.forgets=3", "tile 0 makes bank 0 a scratchpad, which has dirty bytes of the line at 0x");
}

/* The store or atomic that is refused has left its thread by then. */
static void expect_refused(const char *wrong, const char *what, const char *line)
{
    const char *const sets[] = {wrong, NULL};
    machine_run found = run(SMALL, SYSTEM_APPS "/on_tiles", sets);
    cr_expect_eq(found.outcome, HD_OUTCOME_FAULT);
    cr_expect(strstr(found.message, what) == found.message, "%s", found.message);
    cr_expect(strstr(found.message, "kernel on_tiles, pc 0x1000"), "%s", found.message);
    cr_expect(strstr(found.message, line), "%s", found.message);
    cr_expect(strstr(found.message, "pe[5], block (5,0,0), warp 0, lane 0, thread (0,0,0)"), "%s", found.message);
    run_free(&found);
}

Test(tiles, what_is_refused_names_the_line)
{
    expect_refused("app.wrong=1", "store to 0xfff44000: PE 1 of tile 1 reaches 1024 B of scratchpad banks",
                   "kernel.c:10)");
    expect_refused("app.wrong=2", "store to 0xfff00500: the tile manager has no register 40 to store", "kernel.c:12)");
    expect_refused("app.wrong=3", "atomic on 0xfff00100: a register of the tile manager is loaded or stored, as a word",
                   "simt.h:");
    expect_refused("app.wrong=4", "atomic on 0xfff40000: scratchpad banks carry out no atomics", "simt.h:");
}

static void expect_checked(const char *app, const char *const *sets)
{
    machine_run checked =
        run_machine(&(run_request){.netlist = SMALL, .app = app, .sets = sets, .check_memory = 1, .check_races = 1});
    machine_run alone = run(SMALL, app, sets);
    cr_expect_eq(checked.outcome, HD_OUTCOME_PASS, "%s", checked.message);
    json_object_del(checked.results, "memory_check");
    json_object_del(checked.results, "race_check");
    expect_same_stats(checked.results, alone.results);
    run_free(&checked);
    run_free(&alone);
}

/* Registers and scratchpad banks are no memory, and who meets at a barrier of tiles, or switches, is ordered. */
Test(tiles, checks_of_programs_accuse_nobody)
{
    expect_checked(PRODUCT, small_sets);
    expect_checked(SYSTEM_APPS "/on_tiles", (const char *const[]){NULL});
}

Test(tiles, checks_of_programs_find_what_there_is)
{
    machine_run memory = run_machine(&(run_request){.netlist = SMALL,
                                                    .app = SYSTEM_APPS "/on_tiles",
                                                    .sets = (const char *const[]){"app.wrong=5", NULL},
                                                    .check_memory = 1});
    machine_run race = run_machine(&(run_request){.netlist = SMALL,
                                                  .app = SYSTEM_APPS "/on_tiles",
                                                  .sets = (const char *const[]){"app.wrong=6", NULL},
                                                  .check_races = 1});
    cr_expect_eq(memory.outcome, HD_OUTCOME_FAULT);
    cr_expect(strstr(memory.message, "in no allocation; 0 bytes behind the end of allocation 1"), "%s", memory.message);
    cr_expect_eq(race.outcome, HD_OUTCOME_FAULT);
    cr_expect(strstr(race.message, "byte 56 of allocation 1: in different blocks: no release and acquire orders them"),
              "%s", race.message);
    cr_expect(strstr(race.message, "pe[5]") && strstr(race.message, "pe[6]"), "%s", race.message);
    run_free(&memory);
    run_free(&race);
}

Test(tiles, plain_kernels_run_where_stores_are_written_through)
{
    static const char *const through[] = {"app.n=200", "app.block=1", "fabric.l0.write=through", NULL};
    static const char *const back[] = {"app.n=200", "app.block=1", NULL};
    machine_run good = run(SMALL, HEDDLE_APPS "/vecadd", through), bad = run(SMALL, HEDDLE_APPS "/vecadd", back);
    cr_expect_eq(good.outcome, HD_OUTCOME_PASS, "%s", good.message);
    cr_expect_neq(bad.outcome, HD_OUTCOME_PASS, "nobody has flushed");
    run_free(&good);
    run_free(&bad);
}
