/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "state.h"

#include <stdlib.h>

struct vector {
    uint32_t operation, before, operand, compare, after;
};

static const struct vector vectors[] = {
    {HD_ATOMIC_SWAP, 5, 9, 0, 9},
    {HD_ATOMIC_ADD, UINT32_MAX, 2, 0, 1},
    {HD_ATOMIC_XOR, 0xFF00, 0x0FF0, 0, 0xF0F0},
    {HD_ATOMIC_AND, 0xFF00, 0x0FF0, 0, 0x0F00},
    {HD_ATOMIC_OR, 0xFF00, 0x0FF0, 0, 0xFFF0},
    {HD_ATOMIC_MIN, 0xFFFFFFFE, 3, 0, 0xFFFFFFFE},
    {HD_ATOMIC_MIN, 3, 0xFFFFFFFE, 0, 0xFFFFFFFE},
    {HD_ATOMIC_MAX, 0xFFFFFFFE, 3, 0, 3},
    {HD_ATOMIC_MINU, 0xFFFFFFFE, 3, 0, 3},
    {HD_ATOMIC_MAXU, 3, 0xFFFFFFFE, 0, 0xFFFFFFFE},
    {HD_ATOMIC_CAS, 7, 8, 7, 8},
    {HD_ATOMIC_CAS, 7, 8, 6, 7},
};

Test(l2_slice, every_atomic_returns_the_old_word_and_leaves_the_new)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const struct vector *vector = &vectors[i];
        atomic_now(kit, 20, HD_ATOMIC_SWAP, vector->before, 0);
        const hd_atomic_result result = atomic_now(kit, 20, vector->operation, vector->operand, vector->compare);
        cr_expect_eq(result.value, vector->before, "vector %zu", i);
        cr_expect_eq(load_now(kit, 20), vector->after, "vector %zu", i);
    }
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, operations_of_one_packet_see_each_other_in_order)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    hd_atomic_operation operations[32];
    for (uint32_t i = 0; i < 32; i++)
        operations[i] = (hd_atomic_operation){.operation = HD_ATOMIC_ADD, .word = 3, .operand = 1};
    atomic_now(kit, 12, HD_ATOMIC_SWAP, 100, 0);
    atomic(kit, 0, 0, operations, 32, 1, kit_now(kit));
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(reply->wire_bytes, HD_HEADER_WIRE_BYTES + 4 * 32);
    cr_assert_eq(reply->body_bytes, 32 * sizeof(hd_atomic_result));
    const hd_atomic_result *results = hd_body(reply);
    for (uint32_t i = 0; i < 32; i++)
        cr_expect_eq(results[i].value, 100 + i);
    cr_expect_eq(load_now(kit, 12), 132);
    kit_free(kit, reply);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, a_store_conditional_writes_if_nothing_was_written_since)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    const uint32_t before = load_now(kit, 40);
    const hd_atomic_result reserved = atomic_now(kit, 40, HD_ATOMIC_LOAD_RESERVED, 0, 0);
    cr_expect_eq(reserved.value, before);
    cr_expect_eq(atomic_now(kit, 40, HD_ATOMIC_STORE_CONDITIONAL, 1234, reserved.version).value, 0);
    cr_expect_eq(load_now(kit, 40), 1234);
    cr_expect_eq(atomic_now(kit, 40, HD_ATOMIC_STORE_CONDITIONAL, 99, reserved.version).value, 1);
    cr_expect_eq(load_now(kit, 40), 1234);
    cr_expect_eq(kit_statistic(kit, "store_conditional.successes"), 1);
    cr_expect_eq(kit_statistic(kit, "store_conditional.failures"), 1);
    cr_expect_eq(kit_statistic(kit, "load_reserved"), 1);
    kit_destroy(kit);
    free(memory);
}

static uint32_t write_backs;
static void count_write_back(kit_block *kit, void *context, uint64_t address, const void *data, uint32_t bytes)
{
    (void)kit, (void)context, (void)address, (void)data, (void)bytes;
    write_backs++;
}

static uint32_t fails_after(const char *parameter, uint32_t what, uint64_t address)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){parameter, NULL}, 1);
    const hd_atomic_result reserved = atomic_now(kit, 40, HD_ATOMIC_LOAD_RESERVED, 0, 0);
    if (what == HD_ATOMIC_STORE_CONDITIONAL)
        store_now(kit, address, 1, 1, 7);
    else
        atomic_now(kit, address, what, reserved.value, ~reserved.value);
    const uint32_t failed = atomic_now(kit, 40, HD_ATOMIC_STORE_CONDITIONAL, 1, reserved.version).value;
    kit_destroy(kit);
    free(memory);
    return failed;
}

Test(l2_slice, any_write_to_the_bucket_breaks_a_reservation)
{
    cr_expect(fails_after(NULL, HD_ATOMIC_STORE_CONDITIONAL, 42), "a store of one byte of the word");
    cr_expect(fails_after(NULL, HD_ATOMIC_SWAP, 40), "a swap that writes the same value");
    cr_expect_not(fails_after(NULL, HD_ATOMIC_CAS, 40), "a compare-and-swap that does not write");
    cr_expect_not(fails_after(NULL, HD_ATOMIC_SWAP, 44), "a neighbour in another bucket");
    cr_expect(fails_after("versions=1", HD_ATOMIC_SWAP, 44), "a neighbour in the same bucket");
}

Test(l2_slice, one_store_conditional_of_a_packet_can_win)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    const hd_atomic_result reserved = atomic_now(kit, 0, HD_ATOMIC_LOAD_RESERVED, 0, 0);
    hd_atomic_operation operations[4];
    for (uint32_t i = 0; i < 4; i++)
        operations[i] = (hd_atomic_operation){
            .operation = HD_ATOMIC_STORE_CONDITIONAL, .operand = 10 + i, .compare = reserved.version};
    atomic(kit, 0, 0, operations, 4, 1, kit_now(kit));
    hd_packet *reply = next_reply(kit);
    const hd_atomic_result *results = hd_body(reply);
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(results[i].value, i > 0);
    cr_expect_eq(load_now(kit, 0), 10);
    kit_free(kit, reply);
    kit_destroy(kit);
    free(memory);
}

/* What failed has written nothing: the line is as clean as it was, and others' reservations hold. */
Test(l2_slice, a_store_conditional_that_fails_leaves_the_line_clean)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    const hd_atomic_result reserved = atomic_now(kit, 40, HD_ATOMIC_LOAD_RESERVED, 0, 0);
    cr_expect_eq(atomic_now(kit, 40, HD_ATOMIC_STORE_CONDITIONAL, 99, reserved.version + 1).value, 1);
    write_backs = 0;
    kit_on_write_back(kit, count_write_back, NULL);
    kit_align(kit);
    cr_expect_eq(write_backs, 0);
    kit_destroy(kit);

    kit = make(memory, NULL, 1);
    const uint64_t version = atomic_now(kit, 40, HD_ATOMIC_LOAD_RESERVED, 0, 0).version;
    cr_expect_eq(atomic_now(kit, 40, HD_ATOMIC_STORE_CONDITIONAL, 99, version + 1).value, 1);
    cr_expect_eq(atomic_now(kit, 40, HD_ATOMIC_STORE_CONDITIONAL, 98, version).value, 0);
    cr_expect_eq(load_now(kit, 40), 98);
    kit_destroy(kit);
    free(memory);
}

/* A loop may write 2^32 times between a load reserved and its store conditional. */
Test(l2_slice, versions_do_not_come_again)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    const hd_atomic_result reserved = atomic_now(kit, 40, HD_ATOMIC_LOAD_RESERVED, 0, 0);
    struct slice *slice = (struct slice *)kit_instance(kit);
    slice->versions[40 / 4] += UINT64_C(1) << 32;
    cr_expect_eq(atomic_now(kit, 40, HD_ATOMIC_STORE_CONDITIONAL, 1, reserved.version).value, 1);
    const hd_atomic_result again = atomic_now(kit, 40, HD_ATOMIC_LOAD_RESERVED, 0, 0);
    cr_expect_eq(atomic_now(kit, 40, HD_ATOMIC_STORE_CONDITIONAL, 1, again.version).value, 0);
    kit_destroy(kit);
    free(memory);
}
