/* SPDX-License-Identifier: MIT */
#include "parts.h"

#include <string.h>

/* Every value that leaves a line passes here. */
static void sample(const struct line *line, uint32_t offset, void *data, uint32_t bytes)
{
    memcpy(data, &line->data[offset], bytes);
}

static uint64_t *version_of(const struct slice *slice, const struct line *line, uint32_t offset)
{
    if (slice->direct)
        return hd_direct_version(slice->direct, line->address + offset);
    return &slice->versions[(line->first_version + offset / 4) & (slice->version_count - 1)];
}

/* Words from `first` on, `count` of them, as bits. */
static uint32_t words(uint32_t first, uint32_t count)
{
    return (uint32_t)((UINT64_C(1) << count) - 1) << first;
}

/* Every word that is written passes here, whether it changes or not. */
static void note_written(struct slice *slice, struct line *line, uint32_t written)
{
    const uint32_t *watched = slice->direct ? slice->direct->watched : &slice->watched;
    const uint32_t words_of_sector = 1u << (slice->sector_shift - 2);
    for (uint32_t sector = 0; words_of_sector * sector < HD_LINE_BYTES / 4; sector++)
        if (written & words(sector * words_of_sector, words_of_sector))
            line->dirty |= (uint8_t)(1u << sector);
    for (; *watched && written; written &= written - 1)
        (*version_of(slice, line, 4 * (uint32_t)__builtin_ctz(written)))++;
}

void slice_report_progress(struct slice *slice, const struct line *line, hd_time t)
{
    if (line->address < HD_PHYSICAL_CONTEXT_BASE)
        slice->services->progress(slice->services->context, t);
}

/* Every value that changes a line passes here. */
static void change(struct slice *slice, struct line *line, uint32_t offset, const void *data, uint32_t bytes, hd_time t)
{
    /* A comparison of a constant size needs no call, and many are of one word or of all. */
    const uint8_t *old = &line->data[offset];
    const uint32_t is_same = bytes == 4               ? memcmp(old, data, 4) == 0
                             : bytes == HD_LINE_BYTES ? memcmp(old, data, HD_LINE_BYTES) == 0
                                                      : memcmp(old, data, bytes) == 0;
    if (is_same)
        return;
    memcpy(&line->data[offset], data, bytes);
    slice_report_progress(slice, line, t);
}

static uint32_t sample_word(const struct line *line, uint32_t word)
{
    uint32_t value;
    sample(line, word * 4, &value, 4);
    return value;
}

static hd_packet *execute_load(struct slice *slice, struct line *line, hd_packet *request)
{
    const hd_services *services = slice->services;
    const uint32_t bytes = request->argument, room = bytes + (slice->listener_count ? HD_TAP_APPEND_BYTES : 0);
    hd_packet *reply = request;
    if (request->body_capacity < room) {
        reply = services->alloc(services->context, room);
        const uint32_t capacity = reply->body_capacity;
        *reply = *request;
        reply->body_capacity = capacity;
        services->free(services->context, request);
    }
    reply->body_bytes = bytes;
    reply->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    reply->message = slice->message.load_reply;
    sample(line, (uint32_t)(reply->address - line->address), hd_body(reply), bytes);
    return reply;
}

/* Data bytes from `first` on that have the same mask bit; *is_written says which. */
static uint32_t same_mask(const hd_store *store, uint32_t first, uint32_t end, uint32_t *is_written)
{
    uint32_t i = first;
    *is_written = store->byte_mask[i / 32] >> i % 32 & 1;
    while (i < end) {
        const uint32_t rest = (*is_written ? ~store->byte_mask[i / 32] : store->byte_mask[i / 32]) >> i % 32;
        if (rest)
            return (i += (uint32_t)__builtin_ctz(rest)) < end ? i - first : end - first;
        i += 32 - i % 32;
    }
    return end - first;
}

static hd_packet *execute_store(struct slice *slice, struct line *line, hd_packet *request, uint32_t *written,
                                hd_time t)
{
    const hd_store *store = hd_body_const(request);
    const uint8_t *data = hd_store_data_const(store);
    const uint32_t base = (uint32_t)(request->address - line->address);
    for (uint32_t begin = 0; begin < request->argument;) {
        uint32_t is_written;
        const uint32_t bytes = same_mask(store, begin, request->argument, &is_written);
        if (is_written) {
            const uint32_t first = (base + begin) / 4, last = (base + begin + bytes - 1) / 4;
            *written |= words(first, last - first + 1);
            change(slice, line, base + begin, &data[begin], bytes, t);
        }
        begin += bytes;
    }
    note_written(slice, line, *written);
    request->message = slice->message.store_ack;
    request->body_bytes = 0;
    request->wire_bytes = HD_HEADER_WIRE_BYTES;
    return request;
}

static void watch(struct slice *slice)
{
    if (slice->direct)
        *slice->direct->watched = 1;
    slice->watched = 1;
}

static hd_atomic_result load_reserved(struct slice *slice, const struct line *line,
                                      const hd_atomic_operation *operation)
{
    slice->statistics[STATISTIC_LOAD_RESERVED]++;
    watch(slice);
    return (hd_atomic_result){.value = sample_word(line, operation->word),
                              .version = *version_of(slice, line, operation->word * 4u)};
}

static void write_word(struct slice *slice, struct line *line, uint32_t word, uint32_t value, uint32_t *written,
                       hd_time t)
{
    *written |= 1u << word;
    note_written(slice, line, 1u << word);
    change(slice, line, word * 4, &value, 4, t);
}

static hd_atomic_result store_conditional(struct slice *slice, struct line *line, const hd_atomic_operation *operation,
                                          uint32_t *written, hd_time t)
{
    const uint64_t version = *version_of(slice, line, operation->word * 4u);
    if (version != operation->compare) {
        slice->statistics[STATISTIC_STORE_CONDITIONAL_FAILURES]++;
        return (hd_atomic_result){.value = 1, .version = version};
    }
    slice->statistics[STATISTIC_STORE_CONDITIONAL_SUCCESSES]++;
    write_word(slice, line, operation->word, operation->operand, written, t);
    return (hd_atomic_result){.value = 0, .version = version};
}

static hd_atomic_result read_modify_write(struct slice *slice, struct line *line, const hd_atomic_operation *operation,
                                          uint32_t *written, hd_time t)
{
    const hd_atomic_result result = {.value = sample_word(line, operation->word)};
    if (operation->operation == HD_ATOMIC_CAS && result.value != operation->compare)
        return result;
    const uint32_t value = hd_atomic_apply(operation->operation, result.value, operation->operand, operation->compare);
    write_word(slice, line, operation->word, value, written, t);
    return result;
}

static hd_packet *execute_atomic(struct slice *slice, struct line *line, hd_packet *request, uint32_t *written,
                                 hd_time t)
{
    const uint32_t count = request->argument;
    const hd_atomic_operation *operations = hd_body_const(request);
    hd_atomic_result *results = hd_body(request);
    for (uint32_t i = 0; i < count; i++) {
        /* A result is no longer than an operation: it overwrites only what has been carried out. */
        const hd_atomic_operation operation = operations[i];
        if (operation.operation == HD_ATOMIC_LOAD_RESERVED)
            results[i] = load_reserved(slice, line, &operation);
        else if (operation.operation == HD_ATOMIC_STORE_CONDITIONAL)
            results[i] = store_conditional(slice, line, &operation, written, t);
        else
            results[i] = read_modify_write(slice, line, &operation, written, t);
    }
    request->message = slice->message.atomic_reply;
    request->body_bytes = count * (uint32_t)sizeof *results;
    request->wire_bytes = HD_HEADER_WIRE_BYTES + 4 * count;
    return request;
}

hd_packet *slice_execute(struct slice *slice, struct line *line, hd_packet *request, uint32_t *written, hd_time t)
{
    hd_packet *reply;
    if (request->message == slice->message.load)
        reply = execute_load(slice, line, request);
    else if (request->message == slice->message.store)
        reply = execute_store(slice, line, request, written, t);
    else
        reply = execute_atomic(slice, line, request, written, t);
    slice_turn_back(slice, reply);
    return reply;
}
