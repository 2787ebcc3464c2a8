/* SPDX-License-Identifier: MIT */
/* Code that knows nothing of pinning: from its first vector instruction on the thread stays, whatever comes behind. */
#include "pins.h"

int main(void)
{
    CHECK(1, move_to(LITTLE) == ANSWER_DONE &&
                 move_to(BIG) == ANSWER_DONE); /* nothing has depended on the vector length */
    CHECK(2, vector_bytes() == 32);            /* this does */
    CHECK(3, pin_level() == 0 && move_to(LITTLE) == ANSWER_REFUSED);
    fill_vector(7);
    pin_vl();
    CHECK(4, pin_level() == 1);
    unpin_vl();
    CHECK(5, pin_level() == 0 && count_wrong(7) == 0); /* what the old code has is still there */
    CHECK(6, move_to(LITTLE) == ANSWER_REFUSED);
    CHECK(7, cause_of_unpin() == CAUSE_UNPIN); /* and a pair too few is still seen */
    CHECK(8, move_to(LITTLE) == ANSWER_REFUSED && core_now() == BIG && count_wrong(7) == 0);
    return 0;
}
