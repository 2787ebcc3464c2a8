/* SPDX-License-Identifier: MIT */
/* The big core is to be switched off while a thread is pinned to it. a0: 1 if such requests are deferred, 0 if they are refused. */
#include "pins.h"

#define ATTEMPTS 1000000u

static uint32_t switch_off(uint32_t core)
{
    return call(CALL_POWER, core, 0);
}

static void when_refused(void)
{
    CHECK(1, switch_off(BIG) == ANSWER_REFUSED && core_now() == BIG);
    CHECK(2, count_wrong(9) == 0);
    unpin_vl();
    CHECK(3, switch_off(BIG) == ANSWER_DONE && core_now() == LITTLE);
}

static void when_deferred(void)
{
    uint32_t attempts = 0;
    CHECK(4, switch_off(BIG) == ANSWER_DEFERRED && core_now() == BIG);
    CHECK(5, count_wrong(9) == 0);
    unpin_vl();
    while (core_now() == BIG && attempts < ATTEMPTS)
        attempts++;
    CHECK(6, core_now() == LITTLE);
}

int main(uint32_t is_deferred)
{
    CHECK(7, switch_off(LITTLE) == ANSWER_DONE && call(CALL_BITS, LITTLE, 0) == 0);
    CHECK(8, call(CALL_POWER, LITTLE, 1) == ANSWER_DONE && call(CALL_BITS, LITTLE, 0) == 128);
    pin_vl();
    fill_vector(9);
    if (is_deferred)
        when_deferred();
    else
        when_refused();
    CHECK(9, call(CALL_BITS, BIG, 0) == 0 && move_to(BIG) == ANSWER_REFUSED);
    pin_vl();
    CHECK(10, vector_bytes() == 16);
    unpin_vl();
    return 0;
}
