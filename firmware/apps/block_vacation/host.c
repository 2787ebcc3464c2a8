/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/scratchpad_forms.h"

static const char *const kernels[] = {
    [FORM_TM] = "block_vacation_tm", [FORM_LOCKS] = "block_vacation_locks", [FORM_SERIAL] = "block_vacation_serial"};

typedef struct client {
    uint32_t choices[TABLES][CHOICES];
} client;

static client *random_clients(const block_vacation_args *args, uint32_t count, uint64_t *random)
{
    client *clients = hd_host_alloc(count * sizeof *clients);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t table = 0; table < TABLES; table++)
            host_random_ascending(random, args->rows, clients[i].choices[table], CHOICES);
    return clients;
}

static hd_device_ptr upload(const client *clients, uint32_t count)
{
    uint32_t *words = hd_host_alloc(count * TABLES * 4);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t table = 0; table < TABLES; table++)
            words[table * count + i] = pack_bytes(clients[i].choices[table]);
    const hd_device_ptr uploaded = host_upload(words, count * TABLES * 4);
    hd_host_free(words);
    return uploaded;
}

/* Prices, then bookings. */
static uint32_t *random_tables(const block_vacation_args *args, uint64_t *random)
{
    const uint32_t rows = TABLES * args->rows;
    uint32_t *tables = hd_host_alloc(2 * rows * 4);
    memset(tables, 0, 2 * rows * 4);
    for (uint32_t row = 0; row < rows; row++)
        tables[row] = host_random_below(random, 1u << 16) << ROW_BITS | row;
    return tables;
}

static uint32_t cheapest_of(const uint32_t *prices, const uint32_t *choices)
{
    uint32_t cheapest = choices[0];
    for (uint32_t i = 1; i < CHOICES; i++)
        cheapest = prices[choices[i]] < prices[cheapest] ? choices[i] : cheapest;
    return cheapest;
}

/* The cheapest rows are booked until they are full, and as often as clients were told so. */
static void check_table(const block_vacation_args *args, const client *clients, const uint32_t *booked,
                        const uint32_t *prices, const uint32_t *bookings, uint32_t table)
{
    uint32_t *asked = hd_host_alloc(args->rows * 4), *told = hd_host_alloc(args->rows * 4);
    memset(asked, 0, args->rows * 4);
    memset(told, 0, args->rows * 4);
    for (uint32_t i = 0; i < args->client_count; i++) {
        const uint32_t row = cheapest_of(prices, clients[i].choices[table]);
        asked[row]++;
        told[row] += booked[i] >> table & 1;
    }
    for (uint32_t row = 0; row < args->rows; row++) {
        const uint32_t expected = asked[row] < args->capacity ? asked[row] : args->capacity;
        host_check_word("bookings of row", row, bookings[row], expected);
        host_check_word("clients with a booking of row", row, told[row], expected);
    }
    hd_host_free(asked);
    hd_host_free(told);
}

int hd_app_main(void)
{
    const uint32_t form = scratchpad_form(hd_option_text("sync", "locks"), 0);
    block_vacation_args args = {.rows = host_option("rows", 64, CHOICES, ROWS_MAX),
                                .capacity = host_option("capacity", 16, 1, 1u << 20),
                                .client_count = host_option("clients", 1024, 1, 1u << 20)};
    const form_shape shape = {.grid = host_option("grid", 1, 1, 4096), .block = host_option("block", 256, 1, 256)};
    uint64_t random = hd_option("seed", 1);
    const uint32_t count = shape.grid * args.client_count, rows = TABLES * args.rows;
    const uint32_t *tables = random_tables(&args, &random);
    const client *clients = random_clients(&args, count, &random);
    args.prices = host_upload(tables, 2 * rows * 4);
    args.choices = upload(clients, count);
    args.booked = host_poisoned(count * 4);
    args.results = host_poisoned((size_t)shape.grid * 2 * rows * 4);
    host_launch(kernels[form], hd_1d(shape.grid), hd_1d(shape.block), (form == FORM_LOCKS ? 3 : 2) * rows * 4, &args,
                sizeof args);
    const uint32_t *results = host_download(args.results, (size_t)shape.grid * 2 * rows * 4);
    const uint32_t *booked = host_download(args.booked, count * 4);
    for (uint32_t block = 0; block < shape.grid; block++)
        for (uint32_t i = 0; i < rows; i++) {
            const uint32_t *words = results + block * 2 * rows, table = i / args.rows;
            host_check_word("price", i, words[i], tables[i]);
            if (i % args.rows == 0)
                check_table(&args, clients + block * args.client_count, booked + block * args.client_count, tables + i,
                            words + rows + i, table);
        }
    return HD_PASS;
}
