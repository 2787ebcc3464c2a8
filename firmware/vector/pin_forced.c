/* SPDX-License-Identifier: MIT */
/* What pinning is for: a thread that is moved although it is pinned finds the half of its vector that the other core has no room for
 * gone; where it is not pinned it may be moved by force, too, and nothing is wrong. */
#include "pins.h"

int main(void)
{
    CHECK(1, call(CALL_FORCE, LITTLE, 0) == ANSWER_DONE && call(CALL_FORCE, BIG, 0) == ANSWER_DONE);
    pin_vl();
    fill_vector(5);
    CHECK(2, count_wrong(5) == 0);
    CHECK(3, call(CALL_FORCE, LITTLE, 0) == ANSWER_DONE && core_now() == LITTLE);
    CHECK(4, vector_bytes() == 16); /* the program has counted on 32 */
    CHECK(5, call(CALL_FORCE, BIG, 0) == ANSWER_DONE);
    CHECK(6, vector_bytes() == 32);
    fill_vector(5);
    CHECK(7, call(CALL_FORCE, LITTLE, 0) == ANSWER_DONE && call(CALL_FORCE, BIG, 0) == ANSWER_DONE);
    CHECK(8, lost_elements(5) == 16);
    unpin_vl();
    return 0;
}
