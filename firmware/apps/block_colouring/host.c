/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/scratchpad_forms.h"

static const char *const kernels[] = {
    [FORM_TM] = "block_colouring_tm", [FORM_LOCKS] = "block_colouring_locks", [FORM_SERIAL] = "block_colouring_serial"};

/* A vertex and its neighbours, ascending. */
typedef struct vicinity {
    uint32_t count;
    uint32_t vertices[NEARBY_MAX];
} vicinity;

static uint32_t is_nearby(const vicinity *v, uint32_t vertex)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (v->vertices[i] == vertex)
            return 1;
    return 0;
}

static void add(vicinity *v, uint32_t vertex)
{
    uint32_t place = v->count++;
    for (; place && v->vertices[place - 1] > vertex; place--)
        v->vertices[place] = v->vertices[place - 1];
    v->vertices[place] = vertex;
}

/* Edges that exist, or have an end that is full, are left out. */
static void random_graph(vicinity *graph, uint32_t vertices, uint32_t degree, uint64_t *random)
{
    for (uint32_t vertex = 0; vertex < vertices; vertex++)
        add(&graph[vertex], vertex);
    for (uint32_t edge = 0; edge < vertices * degree / 2; edge++) {
        const uint32_t a = host_random_below(random, vertices), b = host_random_below(random, vertices);
        if (is_nearby(&graph[a], b) || graph[a].count == NEARBY_MAX || graph[b].count == NEARBY_MAX)
            continue;
        add(&graph[a], b);
        add(&graph[b], a);
    }
}

static void upload(block_colouring_args *args, const vicinity *graphs, uint32_t count)
{
    uint32_t *nearby = hd_host_alloc(count * NEARBY_WORDS * 4), *counts = hd_host_alloc(count * 4);
    for (uint32_t i = 0; i < count; i++) {
        counts[i] = graphs[i].count;
        for (uint32_t word = 0; word < NEARBY_WORDS; word++)
            nearby[word * count + i] = pack_bytes(&graphs[i].vertices[4 * word]);
    }
    args->nearby = host_upload(nearby, count * NEARBY_WORDS * 4);
    args->counts = host_upload(counts, count * 4);
    hd_host_free(nearby);
    hd_host_free(counts);
}

/* No neighbours have the same colour, and no vertex one that it cannot have needed. */
static void check_colours(const vicinity *graph, const uint32_t *colours, uint32_t vertices, uint32_t block)
{
    for (uint32_t vertex = 0; vertex < vertices; vertex++) {
        const vicinity *v = &graph[vertex];
        hd_check(colours[vertex] >= 1 && colours[vertex] <= v->count, "block %u: vertex %u has colour %u of %u", block,
                 vertex, colours[vertex], v->count);
        for (uint32_t i = 0; i < v->count; i++)
            hd_check(v->vertices[i] == vertex || colours[v->vertices[i]] != colours[vertex],
                     "block %u: vertices %u and %u, neighbours, both have colour %u", block, vertex, v->vertices[i],
                     colours[vertex]);
    }
}

int hd_app_main(void)
{
    const uint32_t form = scratchpad_form(hd_option_text("sync", "locks"), 0);
    block_colouring_args args = {.vertices = host_option("vertices", 256, 2, VERTICES_MAX),
                                 .rounds = host_option("rounds", 4, 1, 1024)};
    const uint32_t degree = host_option("degree", 6, 0, NEARBY_MAX - 1);
    const form_shape shape = {.grid = host_option("grid", 1, 1, 4096), .block = host_option("block", 256, 1, 256)};
    uint64_t random = hd_option("seed", 1);
    const uint32_t count = shape.grid * args.vertices;
    vicinity *graphs = hd_host_alloc(count * sizeof *graphs);
    memset(graphs, 0, count * sizeof *graphs);
    for (uint32_t block = 0; block < shape.grid; block++)
        random_graph(graphs + block * args.vertices, args.vertices, degree, &random);
    upload(&args, graphs, count);
    args.results = host_poisoned(count * 4);
    host_launch(kernels[form], hd_1d(shape.grid), hd_1d(shape.block), (form == FORM_LOCKS ? 2 : 1) * args.vertices * 4,
                &args, sizeof args);
    const uint32_t *results = host_download(args.results, count * 4);
    for (uint32_t block = 0; block < shape.grid; block++)
        check_colours(graphs + block * args.vertices, results + block * args.vertices, args.vertices, block);
    return HD_PASS;
}
