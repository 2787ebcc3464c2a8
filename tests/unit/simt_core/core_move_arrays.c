/* SPDX-License-Identifier: MIT */
/* Words of a scratchpad that are a copy of global memory stay there when a block moves, and are read from there where it goes on. */
#include "core_courier.h"

#include <criterion/criterion.h>
#include <string.h>

#define STREAM "scheduler=lrr", "context.engine=stream", "context.bytes_per_cycle=16 B"
#define IN_MEMORY STREAM, "context.storage=memory"
#define ARRAYS IN_MEMORY, "context.scratchpad=arrays"
static const char *const whole[] = {IN_MEMORY, NULL};
static const char *const written[] = {IN_MEMORY, "context.scratchpad=written", NULL};
static const char *const arrays[] = {ARRAYS, NULL};
static const char *const by_scheduler[] = {STREAM, "context.scratchpad=arrays", NULL};
static const char *const in_l1[] = {ARRAYS, "context.cacheable=l1l2", "l1.global=cache", NULL};
static const char *const smaller[] = {ARRAYS, "context.dead=marks", "context.compress=move", NULL};
static const char *const two_entries[] = {ARRAYS, "context.scratchpad_entries=2", NULL};
static const char *const strict[] = {ARRAYS, "context.foreign_store_check=strict", NULL};
static const char *const retile[] = {ARRAYS, "context.retile=true", NULL};
static const char *const garbage[] = {ARRAYS, "context.unwritten=garbage", NULL};
static const char *const mimd[] = {ARRAYS, "reconvergence=mimd", NULL};

#define FIRST (DATA + 0x10000u)
#define SECOND (DATA + 0x20000u)
#define STRIDES (DATA + 0x30000u)
#define BYTES 4096u
#define ENTRY 16u

static uint32_t lw_nc(uint32_t rd, int32_t offset, uint32_t rs1)
{
    return i_type(0x2B, 3, rd, rs1, offset);
}

/* Instruction words: t0 = thread, t2 = 4 thread, a4 = the thread's word of the scratchpad. */
#define THREAD_WORD csrr(T0, 0xCC0), slli(T2, T0, 2), lui(A4, HD_SCRATCHPAD_BASE), add(A4, A4, T2)
/* a5 = the thread's word of that array. */
#define WORD_OF(array) lui(A5, array), add(A5, A5, T2)
#define COPY(offset) lw(A0, 0, A5), sw(A0, offset, A4)
/* Behind a wait in which the block is moved, the thread writes out three words of the scratchpad. */
#define WAIT_AND_TELL(a, b, c)                                                                                         \
    DELAY(1000), lui(A3, DATA), slli(T2, T0, 4), add(A3, A3, T2), lw(A0, a, A4), sw(A0, 0, A3), lw(A0, b, A4),         \
        sw(A0, 4, A3), lw(A0, c, A4), sw(A0, 8, A3), ret(), 0

typedef struct moved {
    uint64_t leaving; /* bytes of the scratchpad that moved */
    uint64_t array;   /* bytes that were read where arrays are */
    uint64_t arrays, spared, overflows;
    uint32_t words[256][3]; /* that threads have written out */
} moved;

static void fill(core_pair *pair)
{
    for (uint32_t i = 0; i < 256; i++) {
        rig_set_word(pair->rig[0], FIRST + 4 * i, 0x1000 + i);
        rig_set_word(pair->rig[0], SECOND + 4 * i, 0x2000 + i);
    }
    for (uint32_t i = 0; i < 32; i++)
        rig_set_word(pair->rig[0], STRIDES + 256 * i, 0x3000 + i);
}

/* A block is at rest in that wait, and has left. */
static courier *left(const char *const *parameters, const uint32_t *words, uint32_t threads, uint32_t others)
{
    core_pair *pair = pair_create(parameters, parameters, words);
    courier *c = courier_create(pair);
    fill(pair);
    pair_launch(pair, 0, threads, BYTES);
    for (uint32_t i = 0; i < others; i++) {
        const hd_grid grid = {.grid_size = {16, 1, 1}, .block_size = {1, 1, 1}, .private_bytes = 128};
        pair_run(pair, 2500);
        rig_launch_grid(pair->rig[0], &grid, (uint32_t[]){1, 0, 0}, pair_now(pair));
    }
    pair_run(pair, 3500);
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_assert_eq(c->blocks[0].place, COURIER_HERE);
    return c;
}

static uint64_t of(const courier *c, uint32_t core, const char *statistic)
{
    return kit_statistic(rig_kit(c->pair->rig[core]), statistic);
}

static void arrive(courier *c, uint32_t threads, uint32_t blocks, moved *m)
{
    m->leaving = c->blocks[0].size.scratchpad_bytes;
    m->arrays = of(c, 0, "context_arrays");
    m->spared = of(c, 0, "context_array_bytes_spared");
    m->overflows = of(c, 0, "context_scratchpad_overflows");
    courier_restore(c, 0, 1);
    pair_finish(c->pair, blocks);
    m->array = of(c, 1, "context_array_bytes");
    cr_expect_eq(of(c, 1, "context_foreign_words"), 0);
    for (uint32_t thread = 0; thread < threads; thread++)
        for (uint32_t i = 0; i < 3; i++)
            m->words[thread][i] = rig_word(c->pair->rig[0], DATA + 16 * thread + 4 * i);
}

static void end(courier *c)
{
    core_pair *pair = c->pair;
    courier_destroy(c);
    pair_destroy(pair);
}

static moved move(const char *const *parameters, const uint32_t *words, uint32_t threads, uint32_t others)
{
    moved m = {0};
    courier *c = left(parameters, words, threads, others);
    arrive(c, threads, 1 + others, &m);
    end(c);
    return m;
}

/* ---- The example of Beaumont 2019's table: two arrays of 256 words, 128 words that were computed, 384 words of nobody ------- */

enum { NOBODY, OWN_STORE, OWN_ATOMIC, OTHER_STORE };

/* Blocks with index 1 store to the second array. */
static moved example(const char *const *parameters, uint32_t who)
{
    const uint32_t words[] = {csrr(T1, 0xCC3),
                              beq(T1, ZERO, 16),
                              lui(A5, SECOND),
                              sw(ZERO, 16, A5),
                              ret(),
                              THREAD_WORD,
                              WORD_OF(FIRST),
                              COPY(0),
                              WORD_OF(SECOND),
                              COPY(1024),
                              addi(A6, A4, 1024),
                              addi(A0, T0, 7),
                              andi(T1, T0, 128),
                              bne(T1, ZERO, 8),
                              sw(A0, 1024, A6),
                              DELAY(10),
                              bne(T0, ZERO, 12),
                              lui(A5, SECOND),
                              who == OWN_STORE    ? sw(ZERO, 16, A5)
                              : who == OWN_ATOMIC ? amoadd(ZERO, ZERO, A5)
                                                  : lw(A0, 0, A5),
                              WAIT_AND_TELL(0, 1024, 1536)};
    return move(parameters, words, 256, who == OTHER_STORE);
}

static void expect_example(const moved *m, uint64_t leaving, uint64_t array)
{
    cr_expect_eq(m->leaving, leaving, "%lu B leave, not %lu", m->leaving, leaving);
    cr_expect_eq(m->array, array, "%lu B are read, not %lu", m->array, array);
    cr_expect_eq(m->spared, array);
    for (uint32_t thread = 0; thread < 256; thread++) {
        cr_expect_eq(m->words[thread][0], 0x1000 + thread);
        cr_expect_eq(m->words[thread][1], 0x2000 + thread);
        cr_expect_eq(m->words[thread][2], thread < 128 ? 0x2080 + thread : thread - 128 + 7, "thread %u", thread);
    }
}

Test(simt_core, the_example_of_arrays)
{
    const char *const *const machines[] = {arrays, by_scheduler, in_l1, smaller, garbage, retile};
    for (uint32_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const moved m = example(machines[i], NOBODY);
        expect_example(&m, 560, 2048);
        cr_expect_eq(m.arrays, 2);
    }
    moved m = example(whole, NOBODY);
    expect_example(&m, BYTES, 0);
    m = example(written, NOBODY);
    expect_example(&m, 640 * 4 + ENTRY, 0);
    m = example(strict, NOBODY);
    expect_example(&m, 640 * 4 + ENTRY, 0);
}

/* 1584 and 2608 B; what moves and what is read are 2608 B together in each case, but for the other block. */
Test(simt_core, stores_and_atomics_end_arrays)
{
    moved m = example(arrays, OWN_STORE);
    expect_example(&m, 1584, 1024);
    m = example(by_scheduler, OWN_STORE);
    expect_example(&m, 1584, 1024);
    m = example(arrays, OTHER_STORE);
    expect_example(&m, 1584, 1024);
    m = example(arrays, OWN_ATOMIC);
    expect_example(&m, 2608, 0);
    m = example(two_entries, NOBODY);
    expect_example(&m, BYTES, 0);
    cr_expect_eq(m.overflows, 1);
}

/* ---- A warp that copies 32 words ------------------------------------------------------------------------------------- */

#define TELL WAIT_AND_TELL(0, 0, 128)

static void expect_copy(const char *const *parameters, const uint32_t *words, uint64_t leaving, uint32_t first,
                        const char *what)
{
    const moved m = move(parameters, words, 32, 0);
    cr_expect_eq(m.leaving, leaving, "%s: %lu B leave, not %lu", what, m.leaving, leaving);
    for (uint32_t thread = 0; thread < 32; thread++)
        cr_expect_eq(m.words[thread][0], first + thread, "%s: thread %u has 0x%x", what, thread, m.words[thread][0]);
}

#define PLAIN (ENTRY + 128)

Test(simt_core, a_copy_is_an_array_until_something_else_is_known)
{
    const uint32_t copy[] = {THREAD_WORD, WORD_OF(FIRST), COPY(0), TELL};
    const uint32_t strided[] = {THREAD_WORD, slli(A5, T2, 6), lui(A6, STRIDES), add(A5, A5, A6), COPY(0), TELL};
    const uint32_t odd_stride[] = {
        THREAD_WORD, slli(A5, T2, 1), add(A5, A5, T2), lui(A6, FIRST), add(A5, A5, A6), COPY(0), TELL};
    const uint32_t changed[] = {THREAD_WORD, WORD_OF(FIRST), lw(A0, 0, A5), addi(A0, A0, 1), sw(A0, 0, A4), TELL};
    const uint32_t another_load[] = {THREAD_WORD, WORD_OF(FIRST), lw(A0, 0, A5), lw(A1, 128, A5), sw(A0, 0, A4), TELL};
    const uint32_t stored_between[] = {THREAD_WORD,     WORD_OF(FIRST), lw(A0, 0, A5),
                                       sw(ZERO, 0, A5), sw(A0, 0, A4),  TELL};
    const uint32_t stored_elsewhere[] = {THREAD_WORD,       WORD_OF(FIRST), lw(A0, 0, A5),
                                         sw(ZERO, 512, A5), sw(A0, 0, A4),  TELL};
    const uint32_t bytes[] = {THREAD_WORD, WORD_OF(FIRST), COPY(0), sb(A0, 0, A4), TELL};
    expect_copy(arrays, copy, ENTRY, 0x1000, "copy");
    expect_copy(arrays, strided, ENTRY, 0x3000, "stride of 256 B");
    moved m = move(arrays, odd_stride, 32, 0);
    cr_expect_eq(m.leaving, PLAIN, "a stride of 12 B is none");
    m = move(mimd, copy, 32, 0); /* lanes load in turn, and one load is remembered */
    cr_expect(m.leaving >= ENTRY && m.leaving <= PLAIN + ENTRY);
    cr_expect_eq(m.words[31][0], 0x101F);
    expect_copy(arrays, changed, PLAIN, 0x1001, "changed");
    expect_copy(arrays, another_load, PLAIN, 0x1000, "the load buffer has one load");
    expect_copy(arrays, stored_between, PLAIN, 0x1000, "load, store, store to the scratchpad");
    expect_copy(arrays, stored_elsewhere, ENTRY, 0x1000, "a store elsewhere");
    expect_copy(arrays, bytes, PLAIN, 0x1000, "a byte is no word");
}

/* What is declared read-only is an array for who is strict. */
Test(simt_core, strict_arrays_are_of_what_nobody_writes)
{
    const uint32_t plain[] = {THREAD_WORD, WORD_OF(FIRST), COPY(0), TELL};
    const uint32_t read_only[] = {THREAD_WORD, WORD_OF(FIRST), lw_nc(A0, 0, A5), sw(A0, 0, A4), TELL};
    expect_copy(strict, plain, PLAIN, 0x1000, "strict");
    expect_copy(strict, read_only, ENTRY, 0x1000, "strict, read-only");
    expect_copy(arrays, read_only, ENTRY, 0x1000, "read-only");
}

/* Lane 5 alone writes its word again. */
Test(simt_core, a_word_within_an_array_is_written)
{
    const uint32_t words[] = {THREAD_WORD,    WORD_OF(FIRST), COPY(0), addi(T1, ZERO, 5),
                              bne(T0, T1, 8), sw(A0, 0, A4),  TELL};
    const uint32_t other[] = {THREAD_WORD,     WORD_OF(FIRST),  COPY(0),       addi(T1, ZERO, 5),
                              bne(T0, T1, 12), addi(A0, A0, 0), sw(A0, 0, A4), TELL};
    expect_copy(arrays, words, PLAIN, 0x1000, "split");
    expect_copy(arrays, other, PLAIN, 0x1000, "split");
    expect_copy(retile, other, 3 * ENTRY + 4, 0x1000, "split, and the rest is kept");
}

/* The second tile takes the place of the first. */
Test(simt_core, tiles_follow_each_other)
{
    const uint32_t words[] = {THREAD_WORD, WORD_OF(FIRST), COPY(0), WORD_OF(SECOND), COPY(0), TELL};
    expect_copy(arrays, words, PLAIN, 0x2000, "a second tile");
    expect_copy(retile, words, ENTRY, 0x2000, "a second tile that is tracked");
}

/* Every second word, of so many threads: an entry each. */
static moved scattered(uint32_t threads)
{
    const uint32_t words[] = {THREAD_WORD, add(A4, A4, T2), addi(A0, T0, 9), sw(A0, 0, A4), WAIT_AND_TELL(0, 4, 0)};
    const moved m = move(arrays, words, threads, 0);
    for (uint32_t thread = 0; thread < threads; thread++) {
        cr_expect_eq(m.words[thread][0], thread + 9);
        cr_expect_eq(m.words[thread][1], 0);
    }
    return m;
}

Test(simt_core, the_table_has_128_entries)
{
    moved m = scattered(128);
    cr_expect_eq(m.leaving, 128 * (ENTRY + 4));
    cr_expect_eq(m.overflows, 0);
    m = scattered(129);
    cr_expect_eq(m.leaving, BYTES);
    cr_expect_eq(m.overflows, 1);
}

/* ---- What stays behind is not there; what has changed is noticed ------------------------------------------------------- */

Test(simt_core, unwritten_words_may_be_garbage)
{
    const uint32_t words[] = {THREAD_WORD, WORD_OF(FIRST), COPY(0), WAIT_AND_TELL(0, 1024, 128)};
    for (uint32_t poisons = 0; poisons < 2; poisons++) {
        const moved m = move(poisons ? garbage : arrays, words, 32, 0);
        for (uint32_t thread = 0; thread < 32; thread++) {
            cr_expect_eq(m.words[thread][0], 0x1000 + thread);
            cr_expect_eq(m.words[thread][1] >> 8, poisons ? 0xDEADBE : 0);
            cr_expect_eq(m.words[thread][2] >> 8, poisons ? 0xDEADBE : 0);
        }
    }
}

static void store_while_away(const char *const *parameters, uint32_t value)
{
    const uint32_t words[] = {THREAD_WORD, WORD_OF(FIRST), lw_nc(A0, 0, A5), sw(A0, 0, A4), TELL};
    courier *c = left(parameters, words, 32, 0);
    rig_set_word(c->pair->rig[0], FIRST + 20, value);
    if (value == 0x1005) {
        moved m;
        arrive(c, 32, 1, &m);
        cr_expect_eq(m.words[5][0], 0x1005);
    } else {
        kit_expect_fault(rig_kit(c->pair->rig[1]));
        courier_restore(c, 0, 1);
        pair_run(c->pair, 2000);
        cr_expect_str_eq(
            kit_fault_text(rig_kit(c->pair->rig[1])),
            "block: thread block 0 comes back, and of the arrays that it left in global memory 1 words have "
            "been stored to meanwhile: there is 0x7 at 0x10020014, and was 0x1005 "
            "(context.foreign_store_check; context.scratchpad 'written' moves them)");
        cr_expect_eq(of(c, 1, "context_foreign_words"), 1);
    }
    end(c);
}

Test(simt_core, a_foreign_store_to_an_array_is_found)
{
    store_while_away(arrays, 0x1005);
    store_while_away(arrays, 7);
    store_while_away(by_scheduler, 7);
    store_while_away(strict, 7);
}

/* While the array is being read, another block of the core stores there: it is an array no more, and leaves as it is. */
Test(simt_core, stores_of_the_core_that_a_block_comes_to_end_its_arrays)
{
    const uint32_t words[] = {csrr(T1, 0xCC3), beq(T1, ZERO, 16), lui(A5, FIRST), sw(ZERO, 20, A5), ret(),
                              THREAD_WORD,     WORD_OF(FIRST),    COPY(0),        DELAY(1000),      TELL};
    const hd_grid grid = {.grid_size = {16, 1, 1}, .block_size = {1, 1, 1}, .private_bytes = 128};
    moved m;
    courier *c = left(arrays, words, 32, 0);
    for (uint32_t core = 0; core < 2; core++)
        rig_memory_delay(c->pair->rig[core], 500);
    courier_restore(c, 0, 1);
    while (!of(c, 1, "context_array_bytes"))
        pair_run(c->pair, 1);
    pair_run(c->pair, 10);
    rig_launch_grid(c->pair->rig[1], &grid, (uint32_t[]){1, 0, 0}, pair_now(c->pair));
    while (!of(c, 1, "stores"))
        pair_run(c->pair, 1);
    cr_assert_eq(of(c, 1, "blocks_restored"), 0);
    while (!of(c, 1, "blocks_restored"))
        pair_run(c->pair, 1);
    courier_stop(c, 0);
    courier_wait(c, 0);
    arrive(c, 32, 2, &m);
    cr_expect_eq(m.leaving, PLAIN, "%lu B", m.leaving);
    cr_expect_eq(m.words[5][0], 0x1005);
    cr_expect_eq(rig_word(c->pair->rig[0], FIRST + 20), 0);
    end(c);
}
