/* SPDX-License-Identifier: MIT */
#include "reference.h"

static uint32_t word_at(const struct reference *reference, uint64_t address)
{
    uint32_t word;
    memcpy(&word, &reference->memory[address], 4);
    return word;
}

static void write_word(struct reference *reference, uint64_t address, uint32_t word, struct answer *answer)
{
    memcpy(&reference->memory[address], &word, 4);
    reference->versions[address / 4]++;
    answer->written |= 1u << address % LINE / 4;
}

static hd_atomic_result one_of_atomic(struct reference *reference, uint64_t line, const hd_atomic_operation *operation,
                                      struct answer *answer)
{
    const uint64_t address = line + operation->word * 4u;
    const uint32_t word = word_at(reference, address);
    const uint64_t version = reference->versions[address / 4];
    if (operation->operation == HD_ATOMIC_LOAD_RESERVED)
        return (hd_atomic_result){.value = word, .version = version};
    if (operation->operation == HD_ATOMIC_STORE_CONDITIONAL) {
        if (version != operation->compare)
            return (hd_atomic_result){.value = 1, .version = version};
        write_word(reference, address, operation->operand, answer);
        return (hd_atomic_result){.value = 0, .version = version};
    }
    if (operation->operation != HD_ATOMIC_CAS || word == operation->compare)
        write_word(reference, address,
                   hd_atomic_apply(operation->operation, word, operation->operand, operation->compare), answer);
    return (hd_atomic_result){.value = word};
}

static void atomic_of(struct reference *reference, const hd_packet *request, struct answer *answer)
{
    const hd_atomic_operation *operations = hd_body_const(request);
    for (uint32_t i = 0; i < request->argument; i++) {
        const hd_atomic_result result = one_of_atomic(reference, request->address, &operations[i], answer);
        memcpy(&answer->body[i * sizeof result], &result, sizeof result);
    }
    answer->bytes = request->argument * (uint32_t)sizeof(hd_atomic_result);
}

static void store_of(struct reference *reference, const hd_packet *request, struct answer *answer)
{
    const hd_store *store = hd_body_const(request);
    uint64_t last_word = UINT64_MAX;
    for (uint32_t i = 0; i < request->argument; i++) {
        const uint64_t address = request->address + i;
        if (!(store->byte_mask[i / 32] >> i % 32 & 1))
            continue;
        reference->memory[address] = hd_store_data_const(store)[i];
        reference->versions[address / 4] += address / 4 != last_word;
        answer->written |= 1u << address % LINE / 4;
        last_word = address / 4;
    }
}

void reference_carry_out(struct reference *reference, kit_block *kit, const hd_packet *request, struct answer *answer)
{
    answer->bytes = answer->written = 0;
    if (request->message == kit_message(kit, HD_GLOBAL_ATOMIC)) {
        atomic_of(reference, request, answer);
    } else if (request->message == kit_message(kit, HD_GLOBAL_STORE)) {
        store_of(reference, request, answer);
    } else {
        answer->bytes = request->argument;
        memcpy(answer->body, &reference->memory[request->address], request->argument);
    }
}

/* ---- Requests ------------------------------------------------------------------------------------------------------ */

static hd_packet *random_atomic(const struct reference *reference, kit_block *kit, uint64_t line, uint64_t *seed)
{
    const uint32_t count = 1 + (uint32_t)(kit_random(seed) % (kit_random(seed) % 2 ? 2 : 32));
    hd_packet *packet = kit_packet(kit, HD_GLOBAL_ATOMIC, count * (uint32_t)sizeof(hd_atomic_operation));
    hd_atomic_operation *operations = hd_body(packet);
    packet->address = line;
    packet->argument = count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = (uint32_t)(kit_random(seed) % 32);
        operations[i] = (hd_atomic_operation){.operation = (uint8_t)(kit_random(seed) % 12),
                                              .word = (uint8_t)word,
                                              .operand = (uint32_t)kit_random(seed),
                                              .compare = (uint32_t)kit_random(seed)};
        if (operations[i].operation == HD_ATOMIC_CAS && kit_random(seed) % 2)
            operations[i].compare = word_at(reference, line + word * 4);
        if (operations[i].operation == HD_ATOMIC_STORE_CONDITIONAL && kit_random(seed) % 2)
            operations[i].compare = reference->versions[(line + word * 4) / 4];
    }
    return packet;
}

/* Of a whole line or of whole sectors every now and then. */
static hd_packet *random_store(kit_block *kit, uint64_t line, uint64_t *seed)
{
    const uint32_t size = 32u << kit_random(seed) % 3;
    const uint32_t is_whole = kit_random(seed) % 3 == 0;
    const uint32_t offset = (uint32_t)(kit_random(seed) % LINE) & (is_whole ? ~(size - 1) : ~0u);
    const uint32_t bytes = is_whole ? size : 1 + (uint32_t)(kit_random(seed) % (LINE - offset));
    const uint32_t mask = is_whole || kit_random(seed) % 2 ? UINT32_MAX : (uint32_t)kit_random(seed);
    hd_packet *packet = kit_packet(kit, HD_GLOBAL_STORE, (uint32_t)sizeof(hd_store) + bytes);
    hd_store *store = hd_body(packet);
    packet->address = line + offset;
    packet->argument = bytes;
    for (uint32_t i = 0; i < bytes; i++) {
        store->byte_mask[i / 32] |= mask & UINT32_C(1) << i % 32;
        hd_store_data(store)[i] = (uint8_t)kit_random(seed);
    }
    return packet;
}

hd_packet *reference_request(const struct reference *reference, kit_block *kit, uint32_t lines, uint64_t *seed)
{
    const uint64_t line = kit_random(seed) % lines * LINE;
    const uint64_t kind = kit_random(seed) % 4;
    if (kind == 0)
        return random_atomic(reference, kit, line, seed);
    if (kind == 1)
        return random_store(kit, line, seed);
    hd_packet *packet = kit_packet(kit, HD_GLOBAL_LOAD, 0);
    packet->address = line + kit_random(seed) % LINE;
    packet->argument = 1 + (uint32_t)(kit_random(seed) % (LINE - packet->address % LINE));
    return packet;
}
