/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "hd_h3.h"

Test(h3, hash_functions_depend_on_their_seed_alone)
{
    hd_h3 a, b, other, next;
    uint64_t seed = 7, again = 7, different = 8;
    hd_h3_draw(&a, &seed);
    hd_h3_draw(&b, &again);
    hd_h3_draw(&other, &different);
    hd_h3_draw(&next, &seed);
    uint32_t same = 0;
    for (uint64_t key = 1; key < 1000; key++) {
        cr_assert_eq(hd_h3_hash(&a, key), hd_h3_hash(&b, key));
        cr_assert_eq(hd_h3_hash(&a, key ^ 0x5A5A), hd_h3_hash(&a, key) ^ hd_h3_hash(&a, 0x5A5A), "linear over XOR");
        same += (hd_h3_hash(&a, key) == hd_h3_hash(&other, key)) + (hd_h3_hash(&a, key) == hd_h3_hash(&next, key));
    }
    cr_expect_eq(same, 0);
    cr_expect_neq(hd_h3_hash(&a, UINT64_C(1) << 47), 0, "48 bits of the key count");
}
