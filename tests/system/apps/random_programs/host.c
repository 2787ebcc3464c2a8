/* SPDX-License-Identifier: MIT */
/* A random program, run through by the host thread after thread: the kernel's threads end with the same values, and its accounts hold what
 * they hold in any order. */
#include "args.h"
#include "common/transactional.h"

#define PROGRAM_MAX 256u

enum { FORM_TM, FORM_LOCKS, FORM_ATOMICS, FORM_SCRATCHPAD_TM, FORM_COUNT };
static const char *const forms[FORM_COUNT] = {"tm", "locks", "atomics", "scratchpad_tm"};
static const char *const kernels[FORM_COUNT] = {"random_tm", "random_locks", "random_atomics", "random_scratchpad_tm"};

typedef struct program {
    random_instruction code[PROGRAM_MAX];
    uint32_t count;
} program;

static uint32_t emit(program *p, uint32_t operation, uint32_t number)
{
    hd_check(p->count < PROGRAM_MAX, "the program is too long");
    p->code[p->count] = (random_instruction){.operation = operation, .number = number};
    return p->count++;
}

/* Some statements, in `depth` others; `loops` of those are loops. */
static void draw_statements(program *p, uint64_t *random, uint32_t depth, uint32_t loops)
{
    for (uint32_t left = 1 + host_random_below(random, 4); left; left--) {
        const uint32_t drawn = host_random_below(random, depth < 4 ? 8 : 4);
        if (drawn < 2) {
            emit(p, OP_MIX, host_random_below(random, UINT32_MAX));
        } else if (drawn == 2) {
            emit(p, OP_READ, 0);
        } else if (drawn == 3) {
            emit(p, OP_MOVE, 1 + host_random_below(random, MOVES_MAX));
        } else if (drawn < 7 || loops == LOOPS_MAX) {
            const uint32_t skip = emit(p, OP_SKIP, host_random_below(random, 32));
            draw_statements(p, random, depth + 1, loops);
            p->code[skip].to = p->count;
        } else {
            const uint32_t loop = emit(p, OP_LOOP, loops);
            emit(p, OP_MIX, host_random_below(random, UINT32_MAX));
            draw_statements(p, random, depth + 1, loops + 1);
            p->code[emit(p, OP_AGAIN, loops)].to = loop + 1;
        }
    }
}

static program draw_program(uint64_t *random)
{
    program p = {0};
    while (p.count < 16)
        draw_statements(&p, random, 0, 0);
    emit(&p, OP_MOVE, MOVES_MAX);
    emit(&p, OP_END, 0);
    return p;
}

static void move(uint32_t *accounts, uint32_t words, uint32_t x, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        accounts[(x + i * i) & (words - 1)] -= x >> 16;
        accounts[(x >> 8) & (words - 1)] += x >> 16;
    }
}

static uint32_t run_alone(const program *p, const uint32_t *constants, const random_programs_args *args,
                          uint32_t thread, uint32_t *accounts)
{
    uint32_t x = random_mix(thread, 1), counters[LOOPS_MAX] = {0};
    const random_instruction *now = p->code;
    while (now->operation != OP_END) {
        uint32_t is_jump = 0;
        switch (now->operation) {
        case OP_MIX: x = random_mix(x, now->number); break;
        case OP_READ: x = random_mix(x, constants[x & (args->constant_words - 1)]); break;
        case OP_SKIP: is_jump = !(x >> now->number & 1); break;
        case OP_LOOP: counters[now->number] = (x >> now->number) % 4 + 1; break;
        case OP_AGAIN: is_jump = --counters[now->number] != 0; break;
        default: move(accounts, args->account_words, x, now->number); break;
        }
        now = is_jump ? p->code + now->to : now + 1;
    }
    return x;
}

int hd_app_main(void)
{
    const uint32_t form = HOST_CHOICE("sync", hd_option_text("sync", "atomics"), forms);
    const uint32_t grid = host_option("grid", 7, 1, 1024), block = host_option("block", 34, 1, 1024);
    const uint32_t account_words = 1u << host_option("accounts", 8, 0, 12), constant_words = 1u << 10;
    uint64_t random = hd_option("seed", 1);
    const program p = draw_program(&random);
    const uint32_t copies = form == FORM_SCRATCHPAD_TM ? grid : 1;
    uint32_t *constants = hd_host_alloc(constant_words * 4), *accounts = hd_host_alloc(copies * account_words * 4);
    for (uint32_t i = 0; i < constant_words; i++)
        constants[i] = host_random_below(&random, UINT32_MAX);
    memset(accounts, 0, copies * account_words * 4);
    const random_programs_args args = {.program = host_upload(p.code, p.count * sizeof *p.code),
                                       .constants = host_upload(constants, constant_words * 4),
                                       .accounts = host_upload(accounts, copies * account_words * 4),
                                       .locks = host_filled(0, 4),
                                       .results = host_poisoned(grid * block * 4),
                                       .constant_words = constant_words,
                                       .account_words = account_words};
    host_launch(kernels[form], hd_1d(grid), hd_1d(block), form == FORM_SCRATCHPAD_TM ? account_words * 4 : 0, &args,
                sizeof args);
    const uint32_t *results = host_download(args.results, grid * block * 4);
    for (uint32_t i = 0; i < grid * block; i++)
        host_check_word("result", i, results[i],
                        run_alone(&p, constants, &args, i, accounts + (copies > 1 ? i / block * account_words : 0)));
    const uint32_t *moved = host_download(args.accounts, copies * account_words * 4);
    for (uint32_t i = 0; i < copies * account_words; i++)
        host_check_word("account", i, moved[i], accounts[i]);
    return HD_PASS;
}
