/* SPDX-License-Identifier: MIT */
/* Litmus tests (tests.def): many instances at a time, round after round, each thread a random while late. */
#include "args.h"
#include "simt.h"

typedef struct thread {
    volatile uint32_t *x, *y, *z, *w;
    volatile uint32_t *sync;
    volatile uint32_t *record; /* registers 0 to 3, then the place of each role */
    uint32_t role;
    uint32_t takes_part;
    uint32_t base;     /* of the round's values */
    uint32_t arrivals; /* at sync, so far */
    uint32_t first;    /* of w in this round */
    uint32_t placed;   /* role 0: all roles are where the test wants them */
    uint64_t random;
} thread;

#define LINE_WORDS 32u

static uint32_t next_random(thread *t)
{
    t->random = t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(t->random >> 33);
}

/* Which instance, and which role in it. */
static uint32_t find_place(const litmus_args *args, thread *t, uint32_t roles)
{
    const uint32_t block = simt_block_x(), lane = simt_lane();
    uint32_t group = block, slot = lane;
    switch (args->placement) {
    case LITMUS_inter_core:
        t->role = block % roles;
        group = block / roles;
        break;
    case LITMUS_inter_block:
        t->role = block / LITMUS_CORES;
        group = block % LITMUS_CORES;
        break;
    case LITMUS_inter_warp: t->role = simt_warp(); break;
    default: t->role = lane % roles; slot = lane / roles;
    }
    t->takes_part = slot < args->instances_per_warp;
    return group * args->instances_per_warp + slot;
}

static void begin(const litmus_args *args, thread *t, uint32_t roles)
{
    const uint32_t instance = find_place(args, t, roles);
    const uint32_t step = args->spacing / 4;
    t->x = HD_POINTER(volatile uint32_t, args->words) + instance * (LITMUS_STRIDE / 4);
    if (args->scratchpad)
        t->x = &simt_scratchpad[instance % args->instances_per_warp * 4 * step];
    t->y = t->x + step;
    t->z = t->y + step;
    t->w = t->z + step;
    t->sync = HD_POINTER(volatile uint32_t, args->sync) + instance * LINE_WORDS;
    t->record = HD_POINTER(volatile uint32_t, args->record) + instance * LINE_WORDS;
    t->arrivals = 0;
    t->random = args->seed + (uint64_t)(simt_global_index() + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

/* All roles of the instance have come. Lanes of one warp come together, so that none waits for one that is behind it. */
static __attribute__((noinline)) void meet(thread *t, uint32_t roles)
{
    t->arrivals += roles;
    simt_atomic_add(t->sync, 1);
    while ((int32_t)(simt_load_cg(t->sync) - t->arrivals) < 0)
        ;
}

static __attribute__((noinline)) void be_late(const litmus_args *args, thread *t)
{
    const uint32_t random = next_random(t);
    const uint32_t stagger = t->base / LITMUS_EPOCH % 2 * args->stagger * t->role;
    for (uint32_t left = random % (args->jitter + 1) + stagger; left; left--)
        __asm__ volatile("");
}

static uint32_t place_of(const thread *t, uint32_t role)
{
    return simt_load_cg(&t->record[4 + role]);
}

/* Are the roles where the test says? A place is core, block, warp: 8, 16 and 8 bits. */
static uint32_t is_placed(const litmus_args *args, const thread *t, uint32_t roles)
{
    uint32_t good = 1;
    for (uint32_t i = 0; i < roles; i++)
        for (uint32_t k = 0; k < i; k++) {
            const uint32_t other = place_of(t, i) ^ place_of(t, k);
            const uint32_t core = other >> 24, block = other >> 8 & 0xFFFF, warp = other & 0xFF;
            switch (args->placement) {
            case LITMUS_inter_core: good &= core != 0; break;
            case LITMUS_inter_block: good &= core == 0 && block != 0; break;
            case LITMUS_inter_warp: good &= core == 0 && block == 0 && warp != 0; break;
            default: good &= other == 0;
            }
        }
    return good;
}

static __attribute__((noinline)) void look_around(const litmus_args *args, thread *t, uint32_t roles)
{
    t->record[4 + t->role] = simt_core() << 24 | simt_block_x() << 8 | simt_warp();
    simt_fence();
    meet(t, roles);
    t->placed = is_placed(args, t, roles);
}

/* Waits for stores, and drops nothing: what is in the L1 is there in the next round. */
#define FENCE_W __asm__ volatile("fence rw, w" ::: "memory");
#define FENCE_R __asm__ volatile("fence r, r" ::: "memory");
#define FENCE __asm__ volatile("fence rw, rw" ::: "memory");

#define LW(r, p) __asm__ volatile("lw %0, 0(%1)" : "=&r"(r) : "r"(p) : "memory");
#define CG(r, p) __asm__ volatile(".insn i 0x2B, 2, %0, 0(%1)" : "=&r"(r) : "r"(p) : "memory");
#define SW(p, v) __asm__ volatile("sw %1, 0(%0)" : : "r"(p), "r"(base + (v)) : "memory");
#define SWAP(suffix, r, p, v)                                                                                          \
    __asm__ volatile("amoswap.w" suffix " %0, %2, (%1)" : "=&r"(r) : "r"(p), "r"(base + (v)) : "memory");
#define AMO(r, p, v) SWAP("", r, p, v)
#define AMO_AQRL(r, p, v) SWAP(".aqrl", r, p, v)
#define AMO_RL(r, p, v) SWAP(".rl", r, p, v)
#define READ(r, p) __asm__ volatile("amoor.w %0, zero, (%1)" : "=&r"(r) : "r"(p) : "memory");
#define READ_AQ(r, p) __asm__ volatile("amoor.w.aq %0, zero, (%1)" : "=&r"(r) : "r"(p) : "memory");
#define THEN(r, p) ((volatile uint32_t *)((uintptr_t)(p) + ((r) >> 31))) /* r is below */
#define ADD(r, p) __asm__ volatile("amoadd.w %0, %2, (%1)" : "=&r"(r) : "r"(p), "r"(1) : "memory");
#define LRSC(r, p) r = count_lrsc(p);
#define CAS(r, p) r = count_cas(p);
#define SET_LRSC(p, v) set_lrsc(p, base + (v));
#define SET_CAS(p, v) set_cas(p, base + (v));

static uint32_t count_lrsc(volatile uint32_t *word)
{
    uint32_t before, after, failed;
    do
        __asm__ volatile("lr.w %0, (%3)\n\taddi %1, %0, 1\n\tsc.w %2, %1, (%3)"
                         : "=&r"(before), "=&r"(after), "=&r"(failed)
                         : "r"(word)
                         : "memory");
    while (failed);
    return before;
}

static uint32_t count_cas(volatile uint32_t *word)
{
    uint32_t seen = simt_load_cg(word), before;
    while ((before = simt_atomic_cas(word, seen, seen + 1)) != seen)
        seen = before;
    return seen;
}

static void set_lrsc(volatile uint32_t *word, uint32_t value)
{
    uint32_t before, failed;
    do
        __asm__ volatile("lr.w %0, (%2)\n\tsc.w %1, %3, (%2)"
                         : "=&r"(before), "=&r"(failed)
                         : "r"(word), "r"(value)
                         : "memory");
    while (failed);
}

static void set_cas(volatile uint32_t *word, uint32_t value)
{
    uint32_t seen = simt_load_cg(word), before;
    while ((before = simt_atomic_cas(word, seen, value)) != seen)
        seen = before;
}

/* What a word says of this round: 0 is anything from before. */
static uint32_t of_round(const thread *t, uint32_t value)
{
    return value - t->base < LITMUS_EPOCH ? value - t->base : 0;
}

static __attribute__((noinline)) void count(const litmus_args *args, const thread *t, uint32_t witness, uint32_t weak)
{
    volatile uint32_t *counter = HD_POINTER(volatile uint32_t, args->counter);
    if (!t->placed) {
        simt_atomic_add(&counter[LITMUS_MISPLACED], 1);
        return;
    }
    simt_atomic_add(&counter[LITMUS_SAMPLES], 1);
    if (witness)
        simt_atomic_add(&counter[LITMUS_WITNESS], 1);
    if (weak)
        simt_atomic_add(&counter[LITMUS_WEAK], 1);
}

/* The scratchpad has no other way; global memory is looked at past the L1. */
static uint32_t final(const litmus_args *args, const volatile uint32_t *word)
{
    return args->scratchpad ? *word : simt_load_cg(word);
}

static __attribute__((noinline)) void start_round(const litmus_args *args, thread *t, uint32_t roles, uint32_t round)
{
    t->base = args->epoch + round * LITMUS_EPOCH;
    if (t->role == 0)
        t->first = final(args, t->w);
    meet(t, roles);
    be_late(args, t);
}

static __attribute__((noinline)) void end_round(thread *t, uint32_t roles)
{
    FENCE_W
    meet(t, roles);
}

/* A register that this role's code has set. */
#define KEEP(k)                                                                                                        \
    if (!__builtin_constant_p(r##k))                                                                                   \
        t.record[k] = r##k;
#define ROLE(code)                                                                                                     \
    {                                                                                                                  \
        uint32_t r0 = 0, r1 = 0, r2 = 0, r3 = 0;                                                                       \
        code;                                                                                                          \
        KEEP(0) KEEP(1) KEEP(2) KEEP(3)                                                                                \
    }

/* Registers as the conditions see them; numbers of counters are counted from the round's first. */
#define JUDGE(condition_of_witness, condition_of_weak)                                                                 \
    {                                                                                                                  \
        const uint32_t fx = of_round(&t, final(args, t.x)), fy = of_round(&t, final(args, t.y));                       \
        const uint32_t n0 = simt_load_cg(&t.record[0]), n1 = simt_load_cg(&t.record[1]);                               \
        const uint32_t n2 = simt_load_cg(&t.record[2]), n3 = simt_load_cg(&t.record[3]);                               \
        const uint32_t r0 = of_round(&t, n0), r1 = of_round(&t, n1), r2 = of_round(&t, n2), r3 = of_round(&t, n3);     \
        const uint32_t counted = 1u << ((n0 - t.first) & 31) | 1u << ((n1 - t.first) & 31) |                           \
                                 1u << ((n2 - t.first) & 31) | 1u << ((n3 - t.first) & 31);                            \
        (void)fx, (void)fy, (void)r0, (void)r1, (void)r2, (void)r3, (void)counted;                                     \
        count(args, &t, condition_of_witness, condition_of_weak);                                                      \
    }
#define NOT_EACH_ONCE (counted != 0xF || final(args, t.w) - t.first != 4)

#define TEST_KERNEL(name, roles, role0, role1, role2, role3, witness, weak)                                            \
    SIMT_KERNEL(name, const litmus_args *args)                                                                         \
    {                                                                                                                  \
        thread t;                                                                                                      \
        begin(args, &t, roles);                                                                                        \
        volatile uint32_t *const x = t.x, *const y = t.y, *const z = t.z, *const w = t.w;                              \
        (void)x, (void)y, (void)z, (void)w;                                                                            \
        if (!t.takes_part)                                                                                             \
            return;                                                                                                    \
        look_around(args, &t, roles);                                                                                  \
        for (uint32_t round = 0; round < args->rounds; round++) {                                                      \
            start_round(args, &t, roles, round);                                                                       \
            const uint32_t base = t.base;                                                                              \
            if (t.role == 0)                                                                                           \
                ROLE(role0)                                                                                            \
            else if (t.role == 1)                                                                                      \
                ROLE(role1)                                                                                            \
            else if (t.role == 2)                                                                                      \
                ROLE(role2)                                                                                            \
            else                                                                                                       \
                ROLE(role3)                                                                                            \
            (void)base;                                                                                                \
            end_round(&t, roles);                                                                                      \
            if (t.role == 0)                                                                                           \
                JUDGE(witness, weak)                                                                                   \
        }                                                                                                              \
    }

#define SINGLE(name, roles, never, ...) TEST_KERNEL(name, roles, __VA_ARGS__)
#define LITMUS(name, roles, never, ...) TEST_KERNEL(name##_plain_lw, roles, __VA_ARGS__)
#define F
#define LD(r, p) LW(r, p)
#include "tests.def"
#undef SINGLE
#define SINGLE(name, roles, never, ...)

#undef LITMUS
#undef LD
#define LITMUS(name, roles, never, ...) TEST_KERNEL(name##_plain_cg, roles, __VA_ARGS__)
#define LD(r, p) CG(r, p)
#include "tests.def"

#undef LITMUS
#undef F
#define LITMUS(name, roles, never, ...) TEST_KERNEL(name##_fence_cg, roles, __VA_ARGS__)
#define F FENCE
#include "tests.def"

#undef LITMUS
#undef LD
#define LITMUS(name, roles, never, ...) TEST_KERNEL(name##_fence_lw, roles, __VA_ARGS__)
#define LD(r, p) LW(r, p)
#include "tests.def"

/* A store before the block's barrier, a load behind it. All threads of the block take part. */
#define BARRIER_KERNEL(name, fence, barrier)                                                                           \
    SIMT_KERNEL(name, const litmus_args *args)                                                                         \
    {                                                                                                                  \
        thread t;                                                                                                      \
        begin(args, &t, 2);                                                                                            \
        look_around(args, &t, 2);                                                                                      \
        for (uint32_t round = 0; round < args->rounds; round++) {                                                      \
            uint32_t r0 = 0;                                                                                           \
            start_round(args, &t, 2, round);                                                                           \
            const uint32_t base = t.base;                                                                              \
            if (t.role == 0) {                                                                                         \
                SW(t.x, 1) fence                                                                                       \
            }                                                                                                          \
            barrier;                                                                                                   \
            if (t.role == 1) {                                                                                         \
                LW(r0, t.x)                                                                                            \
                t.record[0] = r0;                                                                                      \
            }                                                                                                          \
            end_round(&t, 2);                                                                                          \
            if (t.role == 0)                                                                                           \
                JUDGE(r0 == 1, r0 != 1)                                                                                \
        }                                                                                                              \
    }
BARRIER_KERNEL(barrier_plain, , simt_barrier())
BARRIER_KERNEL(barrier_fence, FENCE, simt_barrier())

/* ---- Kernel boundaries ---- */

static volatile uint32_t *own_entry(const relaunch_args *args)
{
    return HD_POINTER(volatile uint32_t, args->table) + simt_global_index();
}

/* Every thread finds the launch's value: in the table that somebody filled before, and among its arguments. */
SIMT_KERNEL(relaunch_look, const relaunch_args *args)
{
    uint32_t seen;
    LW(seen, own_entry(args))
    if (seen != args->value)
        simt_atomic_add(HD_POINTER(volatile uint32_t, args->counter), 1);
}

/* One block writes what all others look at next. */
SIMT_KERNEL(relaunch_put, const relaunch_args *args)
{
    volatile uint32_t *table = HD_POINTER(volatile uint32_t, args->table);
    for (uint32_t i = simt_thread_x(); i < args->turns; i += simt_block_size_x())
        table[i] = args->value;
}

/* Runs beside the others and fetches their lines all the time. */
SIMT_KERNEL(relaunch_hog, const relaunch_args *args)
{
    uint32_t unused;
    for (uint32_t turn = 0; turn < args->turns; turn++)
        LW(unused, own_entry(args))
}
