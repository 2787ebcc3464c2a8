/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/scratchpad_forms.h"

static const char *const kernels[] = {
    [FORM_TM] = "block_database_tm", [FORM_LOCKS] = "block_database_locks", [FORM_SERIAL] = "block_database_serial"};

typedef struct operation {
    uint32_t records[RECORDS_READ];
    uint32_t value, is_odd;
} operation;

static void add(uint32_t *records, const operation *o)
{
    records[o->records[o->is_odd]] += o->value;
    records[o->records[2 + o->is_odd]] += o->value;
}

/* Records grow only: an operation has read no more than they have in the end, less what it adds itself. */
static void check_sum(const operation *o, uint32_t index, uint32_t sum, const uint32_t *records)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < RECORDS_READ; i++)
        most += records[o->records[i]];
    most -= 2 * o->value;
    hd_check(sum <= most, "operation %u has read %u in all, expected at most %u", index, sum, most);
}

static operation *random_operations(const block_database_args *args, uint32_t count, uint64_t *random)
{
    operation *operations = hd_host_alloc(count * sizeof *operations);
    for (uint32_t i = 0; i < count; i++) {
        host_random_ascending(random, args->records, operations[i].records, RECORDS_READ);
        operations[i].value = 1 + host_random_below(random, (1u << VALUE_BITS) - 1);
        operations[i].is_odd = host_random_below(random, 2);
    }
    return operations;
}

static hd_device_ptr upload(const operation *operations, uint32_t count)
{
    uint32_t *words = hd_host_alloc(count * OPERATION_WORDS * 4);
    for (uint32_t i = 0; i < count; i++) {
        const operation *o = &operations[i];
        words[OPERATION_LOW * count + i] = pack_halves(o->records[0], o->records[1]);
        words[OPERATION_HIGH * count + i] = pack_halves(o->records[2], o->records[3]);
        words[OPERATION_UPDATE * count + i] = o->value | o->is_odd << VALUE_BITS;
    }
    const hd_device_ptr uploaded = host_upload(words, count * OPERATION_WORDS * 4);
    hd_host_free(words);
    return uploaded;
}

int hd_app_main(void)
{
    const uint32_t form = scratchpad_form(hd_option_text("sync", "locks"), 0);
    block_database_args args = {.records = host_option("records", 256, RECORDS_READ, RECORDS_MAX),
                                .operation_count = host_option("operations", 1024, 1, 1u << 20)};
    const form_shape shape = {.grid = host_option("grid", 1, 1, 4096), .block = host_option("block", 256, 1, 256)};
    uint64_t random = hd_option("seed", 1);
    const uint32_t count = shape.grid * args.operation_count;
    const size_t result_bytes = (size_t)shape.grid * args.records * 4;
    const operation *operations = random_operations(&args, count, &random);
    args.operations = upload(operations, count);
    args.sums = host_poisoned(count * 4);
    args.results = host_poisoned(result_bytes);
    host_launch(kernels[form], hd_1d(shape.grid), hd_1d(shape.block), (form == FORM_LOCKS ? 2 : 1) * args.records * 4,
                &args, sizeof args);
    const uint32_t *results = host_download(args.results, result_bytes), *sums = host_download(args.sums, count * 4);
    uint32_t *expected = hd_host_alloc(result_bytes);
    memset(expected, 0, result_bytes);
    for (uint32_t i = 0; i < count; i++)
        add(expected + i / args.operation_count * args.records, &operations[i]);
    for (uint32_t i = 0; i < shape.grid * args.records; i++)
        host_check_word("record", i, results[i], expected[i]);
    for (uint32_t i = 0; i < count; i++)
        check_sum(&operations[i], i, sums[i], expected + i / args.operation_count * args.records);
    return HD_PASS;
}
