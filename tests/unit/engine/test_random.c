/* SPDX-License-Identifier: MIT */
/* Random streams of blocks: results depend on every bit of them, and other programs can make the same ones. */
#include <criterion/criterion.h>

#include "engine_internal.h"
#include "example_blocks.h"
#include "kit.h"
#include "kit_internal.h"

/* First numbers of the authors' implementations (prng.di.unimi.it). */
Test(random, numbers_are_those_of_the_published_generators)
{
    static const uint64_t xoshiro[] = {11520,
                                       0,
                                       1509978240,
                                       UINT64_C(1215971899390074240),
                                       UINT64_C(1216172134540287360),
                                       UINT64_C(607988272756665600),
                                       UINT64_C(16172922978634559625),
                                       UINT64_C(8476171486693032832),
                                       UINT64_C(10595114339597558777),
                                       UINT64_C(2904607092377533576)};
    static const uint64_t splitmix[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                        UINT64_C(9817491932198370423), UINT64_C(4593380528125082431)};
    uint64_t state[4] = {1, 2, 3, 4}, mix = 1234567;
    for (size_t i = 0; i < sizeof xoshiro / sizeof *xoshiro; i++)
        cr_expect_eq(random_next(state), xoshiro[i], "number %zu", i);
    for (size_t i = 0; i < sizeof splitmix / sizeof *splitmix; i++)
        cr_expect_eq(splitmix_next(&mix), splitmix[i], "number %zu", i);
}

/* The seed and the FNV-1a hash of the name, which is published for these, begin a splitmix64. */
Test(random, a_stream_begins_with_the_seed_and_the_hash_of_its_name)
{
    static const struct {
        const char *name;
        uint64_t hash;
    } names[] = {{"", UINT64_C(0xCBF29CE484222325)},
                 {"a", UINT64_C(0xAF63DC4C8601EC8C)},
                 {"foobar", UINT64_C(0x85944171F73967E8)}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            uint64_t state[4], mix = names[i].hash ^ seed;
            random_seed(state, seed, names[i].name);
            for (uint32_t word = 0; word < 4; word++)
                cr_expect_eq(state[word], splitmix_next(&mix), "'%s', seed %u, word %u", names[i].name, (unsigned)seed,
                             word);
        }
}

/* By it tests compare what blocks have drawn: it holds all words of the stream. */
Test(random, the_state_of_a_block_is_that_of_its_stream)
{
    kit_block *kit = kit_create(&example_sink, NULL);
    kit_name(kit, "drawer", 0, 1);
    kit_seed(kit, 7);
    kit_start(kit);
    const hd_services *services = hd_engine_services(kit->engine, kit->block);
    uint64_t state[4];
    random_seed(state, 7, services->name);
    for (uint32_t draw = 0; draw < 10; draw++) {
        cr_expect_eq(hd_engine_random_state(kit->engine, kit->block), state[0] ^ state[1] ^ state[2] ^ state[3]);
        cr_expect_eq(services->random(services->context), random_next(state));
    }
    kit_reset(kit);
    random_seed(state, 7, services->name);
    cr_expect_eq(hd_engine_random_state(kit->engine, kit->block), state[0] ^ state[1] ^ state[2] ^ state[3]);
    kit_destroy(kit);
}
