/* SPDX-License-Identifier: MIT */
#include "reference.h"

static uint32_t word_at(const struct reference *reference, uint64_t address)
{
    uint32_t word;
    memcpy(&word, &reference->memory[address], 4);
    return word;
}

static void write_word(struct reference *reference, uint64_t address, uint32_t word)
{
    memcpy(&reference->memory[address], &word, 4);
    reference->versions[address / 4]++;
}

static hd_atomic_result carry_out(struct reference *reference, uint64_t line, const hd_atomic_operation *operation)
{
    const uint64_t address = line + operation->word * 4u;
    const uint32_t word = word_at(reference, address);
    const uint32_t version = reference->versions[address / 4];
    if (operation->operation == HD_ATOMIC_LOAD_RESERVED)
        return (hd_atomic_result){word, version};
    if (operation->operation == HD_ATOMIC_STORE_CONDITIONAL) {
        if (version != operation->compare)
            return (hd_atomic_result){1, version};
        write_word(reference, address, operation->operand);
        return (hd_atomic_result){0, version};
    }
    if (operation->operation != HD_ATOMIC_CAS || word == operation->compare)
        write_word(reference, address,
                   hd_atomic_apply(operation->operation, word, operation->operand, operation->compare));
    return (hd_atomic_result){word, 0};
}

static void send_atomic(struct reference *reference, kit_block *kit, uint32_t tag, uint64_t *seed, uint64_t line,
                        hd_time t)
{
    hd_atomic_operation operations[32];
    const uint32_t count = 1 + (uint32_t)(kit_random(seed) % 32);
    struct answer *answer = &reference->answers[tag];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = (uint32_t)(kit_random(seed) % 32);
        operations[i] = (hd_atomic_operation){.operation = (uint8_t)(kit_random(seed) % 12),
                                              .word = (uint8_t)word,
                                              .operand = (uint32_t)kit_random(seed),
                                              .compare = (uint32_t)kit_random(seed)};
        /* Compares that often hold. */
        if (operations[i].operation == HD_ATOMIC_CAS && kit_random(seed) % 2)
            operations[i].compare = word_at(reference, line + word * 4);
        if (operations[i].operation == HD_ATOMIC_STORE_CONDITIONAL && kit_random(seed) % 2)
            operations[i].compare = reference->versions[(line + word * 4) / 4];
        const hd_atomic_result result = carry_out(reference, line, &operations[i]);
        memcpy(&answer->body[i * sizeof result], &result, sizeof result);
    }
    answer->bytes = count * (uint32_t)sizeof(hd_atomic_result);
    atomic(kit, 0, line, operations, count, tag, t);
}

static void send_store(struct reference *reference, kit_block *kit, uint32_t tag, uint64_t *seed, uint64_t line,
                       hd_time t)
{
    const uint32_t whole = kit_random(seed) % 4 == 0;
    const uint32_t offset = whole ? 0 : (uint32_t)(kit_random(seed) % LINE);
    const uint32_t bytes = whole ? LINE : 1 + (uint32_t)(kit_random(seed) % (LINE - offset));
    const uint32_t mask = kit_random(seed) % 2 ? UINT32_MAX : (uint32_t)kit_random(seed);
    const uint8_t value = (uint8_t)kit_random(seed);
    uint64_t last_word = UINT64_MAX;
    for (uint32_t i = 0; i < bytes; i++) {
        const uint64_t address = line + offset + i;
        if (!(mask >> i % 32 & 1))
            continue;
        reference->memory[address] = value;
        if (address / 4 != last_word)
            reference->versions[address / 4]++;
        last_word = address / 4;
    }
    store(kit, 0, line + offset, bytes, mask, value, tag, t);
}

void reference_send(struct reference *reference, kit_block *kit, uint32_t tag, uint64_t *seed, hd_time t)
{
    struct answer *answer = &reference->answers[tag];
    answer->expected = 1;
    const uint64_t line = kit_random(seed) % (REFERENCE_BYTES / LINE) * LINE;
    const uint64_t kind = kit_random(seed) % 3;
    if (kind == 0) {
        send_atomic(reference, kit, tag, seed, line, t);
        return;
    }
    if (kind == 1) {
        send_store(reference, kit, tag, seed, line, t);
        return;
    }
    const uint32_t offset = (uint32_t)(kit_random(seed) % LINE);
    answer->bytes = 1 + (uint32_t)(kit_random(seed) % (LINE - offset));
    memcpy(answer->body, &reference->memory[line + offset], answer->bytes);
    load(kit, 0, line + offset, answer->bytes, tag, t);
}

void reference_check(struct reference *reference, const hd_packet *reply)
{
    struct answer *answer = &reference->answers[reply->tag];
    cr_assert(answer->expected, "request %u is answered twice", (unsigned)reply->tag);
    cr_assert_eq(reply->body_bytes, answer->bytes);
    cr_assert_eq(memcmp(hd_body_const(reply), answer->body, answer->bytes), 0, "request %u reads wrong data",
                 (unsigned)reply->tag);
    answer->expected = 0;
    reference->answered++;
}
