/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

enum { MOST_SIZE = 48, MOST_TURNS = 256 };

/* A ring, where the cell's membrane is, that is blurred and broken. */
static void draw_edges(int32_t *edges, uint32_t size, uint64_t *random)
{
    int32_t radius = (int32_t)(size * 3 / 8), middle = (int32_t)size / 2;
    for (int32_t y = 0; y < (int32_t)size; y++)
        for (int32_t x = 0; x < (int32_t)size; x++) {
            int32_t square = (x - middle) * (x - middle) + (y - middle) * (y - middle) - radius * radius;
            int32_t off = square < 0 ? -square : square;
            int32_t edge = off <= 2 * radius ? VECTOR_FLOW_ONE - 64 * off : 0;
            edge -= (int32_t)host_random_below(random, 256);
            edges[y * (int32_t)size + x] = edge < 0 ? 0 : edge > VECTOR_FLOW_ONE ? VECTOR_FLOW_ONE : edge;
        }
}

/* What flows into a pixel from its neighbours, times eight: all of what goes up with the motion, half of what is nearly level. */
static int32_t inflow(const int32_t *field, int32_t size, int32_t x, int32_t y)
{
    static const int32_t neighbours[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int32_t sum = 0, threshold = VECTOR_FLOW_ONE / 64;
    for (uint32_t i = 0; i < 4; i++) {
        int32_t at_x = x + neighbours[i][0], at_y = y + neighbours[i][1];
        if (at_x < 0 || at_y < 0 || at_x >= size || at_y >= size)
            continue;
        int32_t rise = field[at_y * size + at_x] - field[y * size + x];
        int32_t is_forward = neighbours[i][0] + neighbours[i][1] > 0;
        if (rise >= -threshold && rise <= threshold)
            sum += rise / 2;
        else if ((rise > 0) == is_forward)
            sum += rise;
    }
    return sum;
}

/* Returns the turns taken; the field is left in place. */
static uint32_t reference(const int32_t *edges, int32_t *field, int32_t size, uint32_t most_turns, uint32_t still)
{
    int32_t next[MOST_SIZE * MOST_SIZE];
    memcpy(field, edges, (size_t)(size * size) * sizeof *field);
    for (uint32_t turn = 1;; turn++) {
        uint32_t change = 0;
        for (int32_t i = 0; i < size * size; i++) {
            int32_t flown = field[i] + inflow(field, size, i % size, i / size) / 8;
            next[i] = flown - (flown - edges[i]) * edges[i] / (4 * VECTOR_FLOW_ONE);
            change += (uint32_t)(next[i] > field[i] ? next[i] - field[i] : field[i] - next[i]);
        }
        memcpy(field, next, (size_t)(size * size) * sizeof *field);
        if (turn == most_turns || change < still)
            return turn;
    }
}

int hd_app_main(void)
{
    uint32_t cells = host_option("cells", 6, 1, 4096);
    uint32_t size = host_option("size", 20, 1, MOST_SIZE);
    uint32_t most_turns = host_option("turns", 8, 1, MOST_TURNS);
    uint32_t still = host_option("still", 5, 0, VECTOR_FLOW_ONE);
    uint32_t block = host_option("block", 175, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    uint32_t pixels = size * size;
    size_t bytes = (size_t)cells * pixels * sizeof(int32_t);
    int32_t *edges = hd_host_alloc(bytes), *field = hd_host_alloc(pixels * sizeof *field);
    for (uint32_t cell = 0; cell < cells; cell++)
        draw_edges(edges + cell * pixels, size, &random);

    vector_flow_args args = {.edges = host_upload(edges, bytes),
                             .fields = host_poisoned(bytes),
                             .turns = host_poisoned(cells * sizeof(uint32_t)),
                             .size = size,
                             .most_turns = most_turns,
                             .still = still * pixels};
    host_launch("vector_flow", hd_1d(cells), hd_1d(block), (2 * pixels + most_turns) * (uint32_t)sizeof(uint32_t),
                &args, sizeof args);

    const int32_t *fields = host_download(args.fields, bytes);
    const uint32_t *turns = host_download(args.turns, cells * sizeof(uint32_t));
    uint64_t all_turns = 0;
    for (uint32_t cell = 0; cell < cells; cell++) {
        host_check_word("turns", cell, turns[cell],
                        reference(edges + cell * pixels, field, (int32_t)size, most_turns, args.still));
        for (uint32_t i = 0; i < pixels; i++)
            host_check_word("field", cell * pixels + i, (uint32_t)fields[cell * pixels + i], (uint32_t)field[i]);
        all_turns += turns[cell];
    }
    hd_report("turns", all_turns);
    return HD_PASS;
}
