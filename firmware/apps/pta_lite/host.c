/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

enum kind { COPY, LOAD, STORE, KINDS };

typedef struct problem {
    uint32_t variables, words;
    uint32_t *sets; /* [variables][words] */
    uint32_t count[KINDS];
    pta_constraint *constraints[KINDS];
} problem;

static problem draw(uint64_t *random)
{
    problem p = {.variables = host_option("variables", 512, 1, 16384),
                 .count = {[COPY] = host_option("copies", 512, 1, 1u << 20),
                           [LOAD] = host_option("loads", 128, 1, 1u << 20),
                           [STORE] = host_option("stores", 128, 1, 1u << 20)}};
    p.words = (p.variables + 31) / 32;
    p.sets = hd_host_alloc((size_t)p.variables * p.words * sizeof *p.sets);
    for (uint32_t addresses = host_option("addresses", 256, 1, 1u << 20); addresses > 0; addresses--) {
        const uint32_t pointer = host_random_below(random, p.variables), to = host_random_below(random, p.variables);
        p.sets[pointer * p.words + to / 32] |= 1u << to % 32;
    }
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        p.constraints[kind] = hd_host_alloc(p.count[kind] * sizeof *p.constraints[kind]);
        for (uint32_t i = 0; i < p.count[kind]; i++)
            p.constraints[kind][i] =
                (pta_constraint){host_random_below(random, p.variables), host_random_below(random, p.variables)};
    }
    return p;
}

/* ---- The serial fixed point ------------------------------------------------------------------------------------------- */

static uint32_t include(const problem *p, uint32_t to, uint32_t from)
{
    uint32_t grown = 0;
    for (uint32_t word = 0; word < p->words; word++) {
        const uint32_t more = p->sets[from * p->words + word] & ~p->sets[to * p->words + word];
        p->sets[to * p->words + word] |= more;
        grown |= more != 0;
    }
    return grown;
}

static uint32_t points_to(const problem *p, uint32_t pointer, uint32_t to)
{
    return p->sets[pointer * p->words + to / 32] >> to % 32 & 1;
}

static uint32_t apply(const problem *p, enum kind kind, pta_constraint c)
{
    uint32_t grown = 0;
    if (kind == COPY)
        return include(p, c.p, c.q);
    for (uint32_t a = 0; a < p->variables; a++) {
        if (kind == LOAD && points_to(p, c.q, a))
            grown |= include(p, c.p, a);
        if (kind == STORE && points_to(p, c.p, a))
            grown |= include(p, a, c.q);
    }
    return grown;
}

static void solve(const problem *p)
{
    for (uint32_t grown = 1; grown;) {
        grown = 0;
        for (uint32_t kind = 0; kind < KINDS; kind++)
            for (uint32_t i = 0; i < p->count[kind]; i++)
                grown |= apply(p, (enum kind)kind, p->constraints[kind][i]);
    }
}

/* ---- On the device ---------------------------------------------------------------------------------------------------- */

int hd_app_main(void)
{
    static const char *const kernels[KINDS] = {"pta_copy", "pta_load", "pta_store"};
    uint64_t random = hd_option("seed", 1);
    const problem p = draw(&random);
    const uint32_t block = host_option("block", 991, 1, 1024), zero = 0;
    const size_t bytes = (size_t)p.variables * p.words * 4;
    const hd_device_ptr sets = host_upload(p.sets, bytes);
    pta_args args[KINDS];
    for (uint32_t kind = 0; kind < KINDS; kind++)
        args[kind] = (pta_args){.sets = sets,
                                .constraints = host_upload(p.constraints[kind], p.count[kind] * sizeof(pta_constraint)),
                                .grown = kind ? args[0].grown : hd_malloc(4),
                                .count = p.count[kind],
                                .words = p.words};
    uint32_t rounds = 0;
    for (uint32_t grown = 1; grown; rounds++) {
        hd_copy_to_device(args[0].grown, &zero, sizeof zero);
        for (uint32_t kind = 0; kind < KINDS; kind++)
            hd_wait(host_launch(kernels[kind], host_blocks(args[kind].count * p.words, block), hd_1d(block), 0,
                                &args[kind], sizeof args[kind]));
        hd_copy_from_device(&grown, args[0].grown, sizeof grown);
    }
    solve(&p);
    const uint32_t *got = host_download(sets, bytes);
    for (uint32_t i = 0; i < p.variables * p.words; i++)
        host_check_word("sets", i, got[i], p.sets[i]);
    hd_report("rounds", rounds);
    return HD_PASS;
}
