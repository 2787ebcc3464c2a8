/* SPDX-License-Identifier: MIT */
/* BOWS on a core with several issue ports, as a Pascal has: each has queues of its own, and all share the limit (ElTantawy 2018 §6.3.3). */
#include <criterion/criterion.h>

#include "back_off_units.h"
#include "bows.h"
#include "scheduler_units.h"

enum { PORTS = 4, PATHS = 8 };

static const path standing[PATHS];
static const hd_value values[BOWS_PARAMETERS] = {
    [BOWS_MINIMUM].u = 1000, [BOWS_RANGE].u = 9000, [BOWS_WINDOW].u = 1000,
    [BOWS_STEP].u = 250,     [BOWS_SHARE].u = 50,   [BOWS_DECLINE].u = 800};
static hd_value base_values[4];
static uint64_t counters[BOWS_STATISTICS], base_counters[4];
static scheduler_shared *shared;

typedef struct port {
    scheduler_base base;
    scheduler *s;
} port;

static port ports[PORTS];

/* Path p belongs to port p mod 4. */
static void start(void)
{
    scheduler_parameters parameters = {
        .paths = PATHS, .paths_per_warp = 1, .standing = standing, .share = {.values = values, .counters = counters}};
    parameters.base.unit = &scheduler_lrr;
    shared = back_off_bows.create_shared(&parameters);
    for (uint32_t i = 0; i < PORTS; i++) {
        parameters.shared = NULL;
        parameters.share = (hd_unit_share){.values = base_values, .counters = base_counters};
        ports[i].base = (scheduler_base){.unit = &scheduler_lrr, .instance = scheduler_lrr.create(&parameters)};
        parameters.share = (hd_unit_share){.values = values, .counters = counters};
        parameters.shared = shared;
        parameters.base = ports[i].base;
        ports[i].s = back_off_bows.create(&parameters);
        cr_assert(ports[i].base.instance && ports[i].s);
    }
    for (uint32_t path = 0; path < PATHS; path++)
        back_off_bows.add(ports[path % PORTS].s, path, path);
}

static void stop(void)
{
    for (uint32_t i = 0; i < PORTS; i++) {
        back_off_bows.destroy(ports[i].s);
        scheduler_lrr.destroy(ports[i].base.instance);
    }
    back_off_bows.destroy_shared(shared);
}

static void tell(uint32_t kind, uint32_t path, uint64_t cycle)
{
    const path_event event = {.kind = kind, .path = path, .warp = path, .cycle = cycle};
    back_off_bows.event(ports[path % PORTS].s, &event);
}

/* The delay that an instruction after a spin branch begins. */
static uint64_t delay_of(uint32_t path, uint64_t cycle)
{
    const uint64_t before = counters[BOWS_DELAY_CYCLES];
    tell(PATH_SPUN, path, cycle);
    tell(PATH_ISSUED, path, cycle);
    return counters[BOWS_DELAY_CYCLES] - before;
}

/* One port issues nothing but spin iterations of ten instructions, a tenth of its own. */
static void work(uint64_t begin, uint64_t end, uint32_t others)
{
    for (uint64_t cycle = begin; cycle < end; cycle++) {
        for (uint32_t path = 0; path <= others; path++)
            tell(PATH_ISSUED, path, cycle);
        if (cycle % 10 == 9)
            tell(PATH_SPUN, 0, cycle);
    }
}

Test(back_off_ports, the_share_of_spin_branches_is_that_of_the_core, .init = start, .fini = stop)
{
    work(0, 4000, 2);
    cr_expect_eq(delay_of(1, 4000), 1000, "a thirtieth of what the core issues, though a tenth at one port");
    work(4001, 8000, 0);
    cr_expect_eq(delay_of(2, 8000), 1000 + 3 * 250, "a tenth; but for the first window, whose ratio has dropped");
}

Test(back_off_ports, a_window_is_counted_once_and_its_limit_holds_at_every_port, .init = start, .fini = stop)
{
    work(0, 8000, 0);
    for (uint32_t path = 0; path < PORTS; path++)
        cr_expect_eq(delay_of(path, 8000), 3000, "port %u", path);
    uint64_t windows = 0;
    for (uint32_t bucket = BOWS_LIMIT_0; bucket < BOWS_STATISTICS; bucket++)
        windows += counters[bucket];
    cr_expect_eq(windows, 8);
    cr_expect_eq(counters[BOWS_LIMIT_MAXIMUM], 3000);
}

Test(back_off_ports, the_limit_is_forgotten_when_the_last_port_has_no_path, .init = start, .fini = stop)
{
    work(0, 8000, 0);
    for (uint32_t path = 1; path < PATHS; path++)
        back_off_bows.remove(ports[path % PORTS].s, path);
    cr_expect_eq(delay_of(0, 8000), 3000, "a path is left at the first port");
    back_off_bows.remove(ports[0].s, 0);
    back_off_bows.add(ports[1].s, 1, 0);
    cr_expect_eq(delay_of(1, 8001), 1000);
}

Test(back_off_ports, each_has_its_own_queue, .init = start, .fini = stop)
{
    const uint64_t both = 0x11, others = 0x22; /* paths 0 and 4, 1 and 5 */
    tell(PATH_SPUN, 4, 10);
    tell(PATH_SPUN, 1, 20);
    cr_expect_eq(back_off_bows.pick(ports[0].s, &both, 30), 0);
    cr_expect_eq(back_off_bows.pick(ports[1].s, &others, 30), 5);
    const uint64_t four = 0x10, one = 0x02;
    cr_expect_eq(back_off_bows.pick(ports[0].s, &four, 30), 4);
    cr_expect_eq(back_off_bows.pick(ports[1].s, &one, 30), 1);
}
