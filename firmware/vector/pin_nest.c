/* SPDX-License-Identifier: MIT */
/* A thread on the big core pins, calls a function that pins, and may leave only when the outer pair is closed. */
#include "pins.h"

static void inner(void)
{
    pin_vl();
    CHECK(10, pin_level() == 2);
    CHECK(11, count_wrong(3) == 0);
    unpin_vl();
    CHECK(12, pin_level() == 1);
}

static void on_big(void)
{
    CHECK(1, core_now() == BIG && pin_level() == 0);
    pin_vl();
    CHECK(2, pin_level() == 1 && vector_bytes() == 32);
    fill_vector(3);
    inner();
    CHECK(3, move_to(LITTLE) == ANSWER_REFUSED && core_now() == BIG);
    CHECK(4, count_wrong(3) == 0);
    unpin_vl();
    CHECK(5, pin_level() == 0);
}

static void on_little(void)
{
    CHECK(20, move_to(LITTLE) == ANSWER_DONE && core_now() == LITTLE);
    pin_vl();
    CHECK(21, vector_bytes() == 16);
    fill_vector(100);
    CHECK(22, move_to(BIG) == ANSWER_DONE && core_now() == BIG);
    CHECK(23, vector_bytes() == 16); /* half of its lanes are masked */
    CHECK(24, count_wrong(100) == 0);
    unpin_vl();
}

static void free_again(void)
{
    pin_vl();
    CHECK(30, vector_bytes() == 32);
    unpin_vl();
    CHECK(31, cause_of_unpin() == CAUSE_UNPIN);
    set_pin_level(0xFFFFFFFF);
    CHECK(32, cause_of_pin() == CAUSE_PIN_OVERFLOW && pin_level() == 0xFFFFFFFF);
    set_pin_level(0);
    CHECK(33, move_to(LITTLE) == ANSWER_DONE);
}

int main(void)
{
    on_big();
    on_little();
    free_again();
    return 0;
}
