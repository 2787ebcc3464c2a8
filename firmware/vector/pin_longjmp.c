/* SPDX-License-Identifier: MIT */
/* A jump out of a pinned region: who jumps has to bring PIN_LEVEL back, or the thread stays pinned for good. */
#include "pins.h"

int save(uint32_t *where) __attribute__((returns_twice));
void resume(uint32_t *where, int value) __attribute__((noreturn));

static uint32_t where[14];

static void leave(void)
{
    pin_vl();
    fill_vector(1);
    pin_vl();
    resume(where, 1);
}

static void without_restoring(void)
{
    if (!save(where))
        leave();
    CHECK(1, pin_level() == 2 && move_to(LITTLE) == ANSWER_REFUSED);
    unpin_vl();
    unpin_vl();
    CHECK(2, move_to(LITTLE) == ANSWER_DONE && move_to(BIG) == ANSWER_DONE);
}

static void with_restoring(void)
{
    const uint32_t level = pin_level();
    if (!save(where))
        leave();
    set_pin_level(level);
    CHECK(3, pin_level() == 0 && move_to(LITTLE) == ANSWER_DONE);
    CHECK(4, move_to(BIG) == ANSWER_DONE);
}

/* Out of an inner region into an outer one: the level of the outer one comes back, and the thread is as pinned as it was. */
static void into_a_region(void)
{
    pin_vl();
    const uint32_t level = pin_level();
    if (!save(where))
        leave();
    set_pin_level(level);
    CHECK(5, pin_level() == 1 && move_to(LITTLE) == ANSWER_REFUSED);
    unpin_vl();
    CHECK(6, move_to(LITTLE) == ANSWER_DONE);
}

int main(void)
{
    without_restoring();
    with_restoring();
    into_a_region();
    return 0;
}
