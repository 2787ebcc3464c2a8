/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/scratchpad_forms.h"

static const char *const kernels[] = {
    [FORM_TM] = "block_genetic_tm", [FORM_LOCKS] = "block_genetic_locks", [FORM_SERIAL] = "block_genetic_serial"};

typedef struct child {
    uint32_t family[FAMILY];
    uint32_t place;
    uint32_t found, born;
} child;

static uint32_t fitness_of(uint32_t genes)
{
    return (uint32_t)__builtin_popcount(genes);
}

static child *random_children(const block_genetic_args *args, uint32_t count, uint64_t *random)
{
    child *children = hd_host_alloc(count * sizeof *children);
    for (uint32_t i = 0; i < count; i++) {
        host_random_ascending(random, args->individuals, children[i].family, FAMILY);
        children[i].place = host_random_below(random, FAMILY);
    }
    return children;
}

static hd_device_ptr upload(const child *children, uint32_t count, uint64_t *random)
{
    uint32_t *words = hd_host_alloc(count * CHILD_WORDS * 4);
    for (uint32_t i = 0; i < count; i++) {
        words[CHILD_LOW * count + i] = pack_halves(children[i].family[0], children[i].family[1]);
        words[CHILD_HIGH * count + i] =
            pack_halves(children[i].family[2], children[i].place | host_random_below(random, 32) << PLACE_BITS);
        words[CHILD_GENES * count + i] = (uint32_t)hd_random(random);
    }
    const hd_device_ptr uploaded = host_upload(words, count * CHILD_WORDS * 4);
    hd_host_free(words);
    return uploaded;
}

/* The child that replaced this one in this place, of those that nobody has been asked about yet. */
static child *next_in_place(child *children, uint32_t count, uint32_t individual, uint32_t genes)
{
    for (uint32_t i = 0; i < count; i++) {
        child *c = &children[i];
        if (c->place < FAMILY && c->family[c->place] == individual && c->found == genes &&
            fitness_of(c->born) > fitness_of(genes))
            return c;
    }
    return NULL;
}

/* From the first individual of a place to the last, each was replaced by a fitter one that found it there, and by one alone. */
static void check_place(child *children, uint32_t count, uint32_t individual, uint32_t genes, uint32_t last)
{
    for (child *c; (c = next_in_place(children, count, individual, genes)); c->place = FAMILY)
        genes = c->born;
    hd_check(genes == last, "individual %u is 0x%08x, expected 0x%08x: a child was lost", individual, last, genes);
    for (uint32_t i = 0; i < count; i++)
        hd_check(children[i].place == FAMILY || children[i].family[children[i].place] != individual ||
                     fitness_of(children[i].born) <= fitness_of(children[i].found),
                 "child %u replaced an individual %u that another child had replaced", i, individual);
}

int hd_app_main(void)
{
    const uint32_t form = scratchpad_form(hd_option_text("sync", "locks"), 0);
    block_genetic_args args = {.individuals = host_option("individuals", 128, FAMILY, INDIVIDUALS_MAX),
                               .child_count = host_option("children", 1024, 1, 1u << 16)};
    const form_shape shape = {.grid = host_option("grid", 1, 1, 256), .block = host_option("block", 256, 1, 256)};
    uint64_t random = hd_option("seed", 1);
    const uint32_t count = shape.grid * args.child_count;
    const size_t result_bytes = (size_t)shape.grid * args.individuals * 4;
    uint32_t *population = hd_host_alloc(args.individuals * 4);
    for (uint32_t i = 0; i < args.individuals; i++)
        population[i] = (uint32_t)hd_random(&random);
    child *children = random_children(&args, count, &random);
    args.population = host_upload(population, args.individuals * 4);
    args.children = upload(children, count, &random);
    args.found = host_poisoned(count * 4);
    args.born = host_poisoned(count * 4);
    args.results = host_poisoned(result_bytes);
    host_launch(kernels[form], hd_1d(shape.grid), hd_1d(shape.block),
                (form == FORM_LOCKS ? 2 : 1) * args.individuals * 4, &args, sizeof args);
    const uint32_t *results = host_download(args.results, result_bytes);
    const uint32_t *found = host_download(args.found, count * 4), *born = host_download(args.born, count * 4);
    for (uint32_t i = 0; i < count; i++) {
        children[i].found = found[i];
        children[i].born = born[i];
    }
    for (uint32_t i = 0; i < shape.grid * args.individuals; i++)
        check_place(children + i / args.individuals * args.child_count, args.child_count, i % args.individuals,
                    population[i % args.individuals], results[i]);
    return HD_PASS;
}
