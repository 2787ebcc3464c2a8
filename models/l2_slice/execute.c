/* SPDX-License-Identifier: MIT */
#include "state.h"

#include <string.h>

/* Every value that leaves a line passes here. */
static void sample(const struct line *line, uint32_t offset, void *data, uint32_t bytes)
{
    memcpy(data, &line->data[offset], bytes);
}

static uint32_t *version_of(const struct slice *slice, const struct line *line, uint32_t offset)
{
    if (slice->direct)
        return hd_direct_version(slice->direct, line->address + offset);
    return &slice->versions[(line->first_version + offset / 4) & (slice->version_count - 1)];
}

/* A comparison of a constant size needs no call, and almost all are of whole words. */
static uint32_t is_same(const uint8_t *a, const uint8_t *b, uint32_t bytes)
{
    return bytes == 4 ? memcmp(a, b, 4) == 0 : memcmp(a, b, bytes) == 0;
}

/* Every value that changes a line passes here; all bytes lie in one word. */
static void write_word(struct slice *slice, struct line *line, uint32_t offset, const void *data, uint32_t bytes,
                       hd_time t)
{
    line->is_dirty = 1;
    (*version_of(slice, line, offset))++;
    if (is_same(&line->data[offset], data, bytes))
        return;
    memcpy(&line->data[offset], data, bytes);
    if (line->address < HD_PHYSICAL_CONTEXT_BASE)
        slice->services->progress(slice->services->context, t);
}

static void sample_word(const struct line *line, uint32_t word, uint32_t *value)
{
    sample(line, word * 4, value, 4);
}

static hd_packet *execute_load(struct slice *slice, struct line *line, hd_packet *request)
{
    const hd_services *services = slice->services;
    hd_packet *reply = services->alloc(services->context, request->argument);
    const uint32_t capacity = reply->body_capacity;
    *reply = *request;
    reply->body_capacity = capacity;
    reply->body_bytes = request->argument;
    reply->wire_bytes = HD_HEADER_WIRE_BYTES + request->argument;
    reply->message = slice->message.load_reply;
    sample(line, (uint32_t)(request->address - line->address), hd_body(reply), request->argument);
    services->free(services->context, request);
    return reply;
}

/* Four bits of a store's mask, from data byte `first` on. */
static uint32_t mask_from(const hd_store *store, uint32_t first)
{
    const uint32_t last = HD_LINE_BYTES / 32 - 1;
    const uint64_t low = store->byte_mask[first / 32];
    const uint64_t high = first / 32 < last ? store->byte_mask[first / 32 + 1] : 0;
    return (uint32_t)((low | high << 32) >> first % 32) & 0xF;
}

static hd_packet *execute_store(struct slice *slice, struct line *line, hd_packet *request, hd_time t)
{
    const hd_store *store = hd_body_const(request);
    const uint8_t *data = hd_store_data_const(store);
    const uint32_t base = (uint32_t)(request->address - line->address);
    for (uint32_t begin = 0; begin < request->argument;) {
        /* The piece of the store that lies in one word of the line. */
        const uint32_t in_word = 4 - (base + begin) % 4;
        const uint32_t left = request->argument - begin;
        const uint32_t bytes = left < in_word ? left : in_word;
        const uint32_t mask = mask_from(store, begin) & ((1u << bytes) - 1);
        uint8_t merged[4];
        if (mask == 0xF) {
            write_word(slice, line, base + begin, &data[begin], 4, t);
        } else if (mask) {
            sample(line, base + begin, merged, bytes);
            for (uint32_t i = 0; i < 4; i++) {
                if (mask >> i & 1)
                    merged[i] = data[begin + i];
            }
            write_word(slice, line, base + begin, merged, bytes, t);
        }
        begin += bytes;
    }
    request->message = slice->message.store_ack;
    request->body_bytes = 0;
    request->wire_bytes = HD_HEADER_WIRE_BYTES;
    return request;
}

static hd_atomic_result load_reserved(struct slice *slice, const struct line *line,
                                      const hd_atomic_operation *operation)
{
    hd_atomic_result result = {.version = *version_of(slice, line, operation->word * 4u)};
    sample_word(line, operation->word, &result.value);
    slice->statistics[STATISTIC_LOAD_RESERVED]++;
    if (slice->direct)
        *slice->direct->watched = 1;
    return result;
}

static hd_atomic_result store_conditional(struct slice *slice, struct line *line, const hd_atomic_operation *operation,
                                          hd_time t)
{
    const uint32_t version = *version_of(slice, line, operation->word * 4u);
    if (version != operation->compare) {
        slice->statistics[STATISTIC_STORE_CONDITIONAL_FAILURES]++;
        return (hd_atomic_result){.value = 1, .version = version};
    }
    slice->statistics[STATISTIC_STORE_CONDITIONAL_SUCCESSES]++;
    write_word(slice, line, operation->word * 4u, &operation->operand, 4, t);
    return (hd_atomic_result){.value = 0, .version = version};
}

static hd_atomic_result read_modify_write(struct slice *slice, struct line *line, const hd_atomic_operation *operation,
                                          hd_time t)
{
    hd_atomic_result result = {.version = 0};
    sample_word(line, operation->word, &result.value);
    if (operation->operation == HD_ATOMIC_CAS && result.value != operation->compare)
        return result;
    const uint32_t value = hd_atomic_apply(operation->operation, result.value, operation->operand, operation->compare);
    write_word(slice, line, operation->word * 4u, &value, 4, t);
    return result;
}

static hd_packet *execute_atomic(struct slice *slice, struct line *line, hd_packet *request, hd_time t)
{
    const uint32_t count = request->argument;
    const hd_atomic_operation *operations = hd_body_const(request);
    hd_atomic_result *results = hd_body(request);
    for (uint32_t i = 0; i < count; i++) {
        /* A result is shorter than an operation: it overwrites only what has been carried out. */
        const hd_atomic_operation operation = operations[i];
        if (operation.operation == HD_ATOMIC_LOAD_RESERVED)
            results[i] = load_reserved(slice, line, &operation);
        else if (operation.operation == HD_ATOMIC_STORE_CONDITIONAL)
            results[i] = store_conditional(slice, line, &operation, t);
        else
            results[i] = read_modify_write(slice, line, &operation, t);
    }
    request->message = slice->message.atomic_reply;
    request->body_bytes = count * (uint32_t)sizeof *results;
    request->wire_bytes = HD_HEADER_WIRE_BYTES + 4 * count;
    return request;
}

hd_packet *slice_execute(struct slice *slice, struct line *line, hd_packet *request, hd_time t)
{
    hd_packet *reply;
    if (request->message == slice->message.load)
        reply = execute_load(slice, line, request);
    else if (request->message == slice->message.store)
        reply = execute_store(slice, line, request, t);
    else
        reply = execute_atomic(slice, line, request, t);
    reply->destination = reply->source;
    reply->source = (uint16_t)slice->services->endpoint;
    reply->unit = HD_DESTINATION_DEFAULT;
    return reply;
}
