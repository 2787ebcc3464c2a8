/* SPDX-License-Identifier: MIT */
/* Whoever checks transactions is told of every word that is compared, with its place in the slice's order. */
#include "bench.h"

enum { TOLD = 16 };
typedef struct told {
    hd_transaction_validation validations[TOLD];
    uint32_t count;
} told;

static void committed(void *context, uint32_t endpoint, const hd_transaction *transaction)
{
    (void)context, (void)endpoint, (void)transaction;
    cr_assert_fail("it is the core that commits");
}

static void validated(void *context, uint32_t endpoint, const hd_transaction_validation *validation)
{
    told *self = context;
    (void)endpoint;
    cr_assert_lt(self->count, TOLD);
    self->validations[self->count++] = *validation;
}

/* A slice that numbers its samples, from 70. */
static uint32_t play(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    static const uint32_t line[] = {5, 6, 7, 8, 9, 10, 11, 12};
    const uint64_t sample = 70 + packet->address % 64 / 4;
    (void)context, (void)element;
    if (port != PORT_ACCESS)
        return 0;
    hd_packet *reply = kit_packet(kit, HD_GLOBAL_LOAD_REPLY, packet->argument + HD_SAMPLE_BYTES);
    reply->tag = packet->tag;
    reply->argument = packet->argument;
    memcpy(hd_body(reply), line, packet->argument);
    memcpy((uint8_t *)hd_body(reply) + packet->argument, &sample, sizeof sample);
    kit_send(kit, PORT_ACCESSED, 0, reply, t + 10 * CYCLE);
    return 0;
}

Test(kilo_unit, a_checker_is_told_of_what_is_compared)
{
    static const char *const ways[] = {"coalesce=0 B", "coalesce=32 B"};
    for (uint32_t coalesces = 0; coalesces < 2; coalesces++) {
        told told = {.count = 0};
        const hd_transactions checker = {.context = &told, .committed = committed, .validated = validated};
        bench bench = {.kit = kit_create(&hd_commit_unit_kilo, (const char *[]){ways[coalesces], NULL})};
        kit_provide(bench.kit, HD_EXTENSION_TRANSACTIONS, &checker);
        kit_respond(bench.kit, play, NULL);
        const hd_kilo_word words[] = {{.address = AT(8), .value = 5, .lane = 0, .byte_mask = 15},
                                      {.address = AT(9), .value = 99, .lane = 1, .byte_mask = 3}};
        send_words(&bench, HD_KILO_READ_SET, group_of(1, 2), words, 2, 0, 0);
        settle(&bench);
        cr_assert_eq(told.count, 2);
        for (uint32_t i = 0; i < 2; i++) {
            const hd_transaction_validation *validation = &told.validations[i];
            cr_expect_eq(validation->warp, 1);
            cr_expect_eq(validation->lane, i);
            cr_expect_eq(validation->epoch, 2);
            cr_expect_eq(validation->word.address, AT(8 + i));
            cr_expect_eq(validation->word.value, coalesces ? 5 + i : 5, "what is in memory");
            cr_expect_eq(validation->word.byte_mask, words[i].byte_mask);
            cr_expect_eq(validation->word.sample, coalesces ? 78 : 78 + i);
            cr_expect_gt(validation->t, 10 * CYCLE);
        }
        kit_destroy(bench.kit);
    }
}
