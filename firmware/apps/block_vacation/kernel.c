/* SPDX-License-Identifier: MIT */
/* Prices are compared, and the cheapest are booked: Villegas et al., GPU-LocalTM, §5, "VA", as vacation of STAMP does. */
#include "args.h"
#include "common/in_scratchpad.h"
#include "common/packed.h"

typedef struct client {
    uint32_t choices0, choices1, choices2; /* of each table */
    uint32_t booked;
} client;
_Static_assert(TABLES == 3 && CHOICES == 4, "as in the struct");

typedef void run(const block_vacation_args *args, client *c);

/* The row, of all tables, that is this client's choice i. Worked out anew each time: registers do not suffice to keep all of them. */
SIMT_INLINE uint32_t row_of(const block_vacation_args *args, client *c, uint32_t i)
{
    const uint32_t table = i / CHOICES;
    const uint32_t choices = table == 0   ? simt_opaque(c->choices0)
                             : table == 1 ? simt_opaque(c->choices1)
                                          : simt_opaque(c->choices2);
    return table * args->rows + packed_byte(choices, i % CHOICES);
}

SIMT_INLINE void book_in(const block_vacation_args *args, client *c, uint32_t table)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = table * CHOICES; i < (table + 1) * CHOICES; i++)
        least = simt_min(least, simt_scratchpad[row_of(args, c, i)]);
    volatile uint32_t *bookings = &simt_scratchpad[TABLES * args->rows + (least & ((1u << ROW_BITS) - 1))];
    const uint32_t before = *bookings;
    if (before < args->capacity) {
        *bookings = before + 1;
        c->booked |= 1u << table;
    }
}

SIMT_INLINE void book(const block_vacation_args *args, client *c)
{
    c->booked = 0;
    for (uint32_t table = 0; table < TABLES; table++)
        book_in(args, c, table);
}

SIMT_INLINE void run_tm(const block_vacation_args *args, client *c)
{
    IN_SCRATCHPAD_TM(book(args, c));
}

SIMT_INLINE void run_locks(const block_vacation_args *args, client *c)
{
    IN_SCRATCHPAD_LOCKED_ALL(i, TABLES * CHOICES, &simt_scratchpad[2 * TABLES * args->rows + row_of(args, c, i)],
                             book(args, c));
}

SIMT_INLINE void run_serial(const block_vacation_args *args, client *c)
{
    book(args, c);
}

SIMT_INLINE void run_client(const block_vacation_args *args, uint32_t i, run *run)
{
    client c = {.choices0 = in_scratchpad_item_word(args->choices, 0, args->client_count, i),
                .choices1 = in_scratchpad_item_word(args->choices, 1, args->client_count, i),
                .choices2 = in_scratchpad_item_word(args->choices, 2, args->client_count, i)};
    run(args, &c);
    HD_POINTER(uint32_t, args->booked)[simt_block_x() * args->client_count + i] = c.booked;
}

#define KERNEL(form, DEAL)                                                                                             \
    SIMT_KERNEL(block_vacation_##form, const block_vacation_args *args)                                                \
    {                                                                                                                  \
        in_scratchpad_copy_in(args->prices, 2 * TABLES * args->rows);                                                  \
        DEAL(i, args->client_count, run_client(args, i, run_##form));                                                  \
        in_scratchpad_copy_out(args->results, 2 * TABLES * args->rows);                                                \
    }

KERNEL(tm, IN_SCRATCHPAD_PARALLEL)
KERNEL(locks, IN_SCRATCHPAD_PARALLEL)
KERNEL(serial, IN_SCRATCHPAD_SERIAL)
