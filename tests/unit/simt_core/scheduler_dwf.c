/* SPDX-License-Identifier: MIT */
/* The issue policies of dynamic warp formation. */
#include <criterion/criterion.h>

#include "scheduler_units.h"

#define PATHS 8u
#define A 0x100u
#define B 0x200u

enum { MAJORITY, MINORITY, TIME, PDPRI, PC };

typedef struct subject {
    scheduler *unit;
    scheduler_shared *shared;
    path standing[PATHS];
} subject;

static void start(subject *s, uint64_t policy)
{
    const hd_value values[1] = {{.u = policy}};
    *s = (subject){.unit = NULL};
    scheduler_parameters parameters = {
        .paths = PATHS, .paths_per_warp = 1, .standing = s->standing, .share = {.values = values}};
    cr_assert(parameters.shared = s->shared = scheduler_dwf.create_shared(&parameters));
    cr_assert(s->unit = scheduler_dwf.create(&parameters));
}

static void stop(subject *s)
{
    scheduler_dwf.destroy(s->unit);
    scheduler_dwf.destroy_shared(s->shared);
}

static void add(subject *s, uint32_t path, uint32_t pc, uint64_t mask)
{
    s->standing[path] = (struct path){.pc = pc, .mask = mask};
    scheduler_dwf.add(s->unit, path, 7 << 16 | path);
}

static uint32_t pick(const subject *s, uint64_t ready)
{
    return scheduler_dwf.pick(s->unit, &ready, 0);
}

static void tell(subject *s, const path_event *event)
{
    if (scheduler_dwf.wants(s->unit) & event->kind)
        scheduler_dwf.event(s->unit, event);
}

static uint32_t issue(subject *s, uint64_t ready)
{
    const uint32_t path = pick(s, ready);
    tell(s, &(path_event){.kind = PATH_ISSUED, .path = path, .pc = s->standing[path].pc});
    s->standing[path].pc += 4;
    return path;
}

Test(scheduler_dwf, majority_stays_with_a_pc_until_nobody_is_there)
{
    subject s;
    start(&s, MAJORITY);
    add(&s, 0, B, 0x7);
    add(&s, 1, A, 0x3);
    add(&s, 2, B, 0x1);
    add(&s, 3, A, 0x7);
    cr_expect_eq(issue(&s, 0xF), 1, "five threads at A, the first that came");
    add(&s, 4, B, 0xFF);
    cr_expect_eq(issue(&s, 0x1F), 3, "A has fewer now, and is not empty");
    cr_expect_eq(issue(&s, 0x1F), 0, "twelve threads at B");
    cr_expect_eq(issue(&s, 0x1F), 2);
    cr_expect_eq(issue(&s, 0x1F), 4);
    cr_expect_eq(pick(&s, 0), NO_PATH);
    stop(&s);
}

Test(scheduler_dwf, majority_takes_the_lower_pc_of_equals)
{
    subject s;
    start(&s, MAJORITY);
    add(&s, 0, B, 0x3);
    add(&s, 1, A, 0x6);
    cr_expect_eq(pick(&s, 0x3), 1);
    cr_expect_eq(pick(&s, 0x1), 0, "who is not ready does not count");
    stop(&s);
}

Test(scheduler_dwf, minority_takes_the_pc_of_the_fewest)
{
    subject s;
    start(&s, MINORITY);
    add(&s, 0, A, 0x7);
    add(&s, 1, B, 0x1);
    add(&s, 2, B, 0x1);
    cr_expect_eq(issue(&s, 0x7), 1);
    cr_expect_eq(pick(&s, 0x7), 2, "one at B + 4, one at B, which is lower");
    stop(&s);
}

Test(scheduler_dwf, time_takes_the_one_that_entered_first)
{
    subject s;
    start(&s, TIME);
    add(&s, 2, A, 0x1);
    add(&s, 0, A, 0xF);
    add(&s, 1, B, 0xF);
    cr_expect_eq(issue(&s, 0x7), 2);
    cr_expect_eq(issue(&s, 0x7), 0);
    cr_expect_eq(issue(&s, 0x7), 1);
    cr_expect_eq(issue(&s, 0x7), 2);
    stop(&s);
}

Test(scheduler_dwf, pc_takes_the_lowest_and_then_the_fullest)
{
    subject s;
    start(&s, PC);
    add(&s, 0, B, 0xFF);
    add(&s, 1, A, 0x1);
    add(&s, 2, A, 0x3);
    add(&s, 3, A, 0x6);
    cr_expect_eq(issue(&s, 0xF), 2);
    cr_expect_eq(issue(&s, 0xF), 3);
    cr_expect_eq(issue(&s, 0xF), 1);
    stop(&s);
}

Test(scheduler_dwf, pdpri_takes_who_has_passed_the_fewest_points)
{
    const path_event parts = {.kind = PATH_BRANCHED, .path = 0, .group_count = 2, .reconvergence_pc = B};
    subject s;
    start(&s, PDPRI);
    add(&s, 0, A, 0x1);
    add(&s, 1, A, 0x3);
    cr_expect_eq(pick(&s, 0x3), 1, "the fuller one");
    tell(&s, &parts);
    tell(&s, &(path_event){.kind = PATH_ARRIVED, .path = 1});
    cr_expect_eq(pick(&s, 0x3), 0);
    tell(&s, &(path_event){.kind = PATH_BRANCHED, .path = 0, .group_count = 1, .target = A});
    cr_expect_eq(pick(&s, 0x3), 0, "A is no point");
    tell(&s, &(path_event){.kind = PATH_BRANCHED, .path = 0, .group_count = 1, .target = B});
    tell(&s, &(path_event){.kind = PATH_BRANCHED, .path = 0, .group_count = 1, .target = B});
    cr_expect_eq(pick(&s, 0x3), 1);
    add(&s, 2, A, 0xFF);
    cr_expect_eq(pick(&s, 0x6), 1, "it comes from a path that has passed two");
    s.standing[3] = (struct path){.pc = A, .mask = 1};
    scheduler_dwf.add(s.unit, 3, 8 << 16);
    cr_expect_eq(pick(&s, 0xF), 3, "of another block");
    stop(&s);
}
