/* SPDX-License-Identifier: MIT */
/* Random vector instructions against the oracle. HEDDLE_VECTOR_INSTRUCTIONS: how many; the long tier has a hundred times as many. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit_random.h"
#include "oracle.h"
#include "rig.h"

#define USUAL 200000u
#define ADDRESSES 8u /* x8 ... hold addresses */

typedef struct row {
    const char *mnemonic;
    uint32_t match, mask, has_forms;
} row;

enum { ONE = 0, VX = 1, XI = 1, VXI = 1 };
static const row rows[] = {
#define RVV_OPERATION(name, mnemonic, group, forms, match, mask) {mnemonic, match, mask, forms},
#include "rvv_operations.def"
#undef RVV_OPERATION
};
#define ROWS (sizeof rows / sizeof *rows)

static uint64_t count_of(const char *variable, uint64_t usual)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : usual;
}

/* Fields that the row leaves open are random; registers are often such that groups fit. */
static uint32_t draw_word(const row *r, uint64_t *seed)
{
    static const uint32_t forms[] = {0, 3, 4};
    uint32_t fields = (uint32_t)kit_random(seed);
    if (kit_random(seed) % 4)
        fields &= ~(7u << 7 | 7u << 20);
    if (kit_random(seed) % 2)
        fields |= 1u << 25;
    const uint32_t is_access = (r->match & 0x7F) != 0x57;
    if (is_access && kit_random(seed) % 8)
        fields = (fields & ~(31u << 15)) | (8 + (uint32_t)(kit_random(seed) % ADDRESSES)) << 15;
    uint32_t word = (fields & ~r->mask) | r->match;
    if (r->has_forms)
        word = (word & ~(7u << 12)) | forms[kit_random(seed) % 3] << 12;
    return word;
}

static void randomise(rig *r, oracle *o, uint32_t bits, uint64_t *seed)
{
    static const uint32_t types[] = {0x00, 0x01, 0x02, 0x03, 0x10, 0x11,
                                     0x12, 0x13, 0xC0, 0xD0, 0xC2, VEC_VTYPE_ILLEGAL};
    hd_thread_context *thread = &r->hart.thread;
    memset(o, 0, sizeof *o);
    o->bits = bits;
    for (uint32_t i = 1; i < 32; i++)
        o->x[i] = (uint32_t)kit_random(seed) >> kit_random(seed) % 32;
    for (uint32_t i = 0; i < ADDRESSES; i++)
        o->x[8 + i] = ORACLE_BASE + ((uint32_t)kit_random(seed) % (ORACLE_BYTES - 16) & ~(i % 4 ? 3u : 0u));
    for (uint32_t i = 0; i < 32; i++)
        o->f[i] = (float)((int32_t)kit_random(seed) >> kit_random(seed) % 32) / 7;
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t b = 0; b < bits / 8; b += 4) {
            uint32_t value = (uint32_t)kit_random(seed);
            if (i % 4 == 1)
                value %= ORACLE_BYTES / 2, value &= ~3u; /* offsets */
            if (i % 4 == 2) {
                const float number = (float)(int32_t)value / 1000;
                memcpy(&value, &number, sizeof value);
            }
            memcpy(&o->v[i][b], &value, 4);
        }
    for (uint32_t i = 0; i < ORACLE_BYTES; i += 4) {
        const uint32_t value = (uint32_t)kit_random(seed);
        memcpy(o->memory + i, &value, 4);
    }
    o->vtype = types[kit_random(seed) % (sizeof types / sizeof *types)];
    const uint32_t is_illegal = o->vtype & VEC_VTYPE_ILLEGAL;
    const uint32_t most = is_illegal ? 0 : (bits << (o->vtype & 7)) / (8u << (o->vtype >> 3 & 7));
    o->vl = is_illegal ? 0 : kit_random(seed) % 3 ? most : (uint32_t)(kit_random(seed) % (most + 1));
    memcpy(thread->x, o->x, sizeof o->x);
    memcpy(thread->x + 32, o->f, sizeof o->f);
    for (uint32_t i = 0; i < 32; i++)
        memcpy(r->hart.v + i * (bits / 8), o->v[i], bits / 8);
    memcpy(r->memory, o->memory, ORACLE_BYTES);
    thread->vl = o->vl;
    thread->vtype = o->vtype;
}

static const char *difference(const rig *r, const oracle *o, uint32_t bits)
{
    const hd_thread_context *thread = &r->hart.thread;
    for (uint32_t i = 0; i < 32; i++)
        if (memcmp(r->hart.v + i * (bits / 8), o->v[i], bits / 8) != 0)
            return "vector registers";
    if (memcmp(thread->x, o->x, sizeof o->x) != 0)
        return "registers";
    if (memcmp(thread->x + 32, o->f, sizeof o->f) != 0)
        return "float registers";
    if (memcmp(r->memory, o->memory, ORACLE_BYTES) != 0)
        return "memory";
    return thread->vl != o->vl || thread->vtype != o->vtype ? "vl or vtype" : NULL;
}

/* Destinations that the specification forbids because they overlap a source in a way that the order of elements shows. */
static uint32_t overlaps(const row *r, uint32_t word)
{
    const uint32_t vd = word >> 7 & 31, vs1 = word >> 15 & 31, vs2 = word >> 20 & 31;
    const uint32_t is_indexed = strstr(r->mnemonic, "xei") != NULL;
    const uint32_t is_mask_result = strncmp(r->mnemonic, "vms", 3) == 0;
    const uint32_t is_near = vd / 8 == vs2 / 8 || vd / 8 == vs1 / 8 || vd == 0;
    return (is_indexed || is_mask_result) && is_near;
}

static uint32_t one(rig *r, oracle *o, uint32_t bits, uint64_t *seed, uint64_t *executed)
{
    const row *drawn = &rows[kit_random(seed) % ROWS];
    const uint32_t word = draw_word(drawn, seed);
    if (overlaps(drawn, word))
        return 0;
    const uint32_t cause = rig_step(r, word), expected = oracle_step(o, word);
    const char *differs = difference(r, o, bits);
    *executed += cause == VEC_NO_CAUSE;
    if (cause == expected && !differs)
        return 0;
    cr_log_error("%s 0x%08x, vlen %u, vtype 0x%x, vl %u: cause %d, expected %d; %s", drawn->mnemonic, word, bits,
                 o->vtype, o->vl, (int)cause, (int)expected, differs ? differs : "the state is the same");
    return 1;
}

Test(vec_core, random_instructions_agree_with_the_oracle, .timeout = 600)
{
    static rig r;
    static oracle o;
    const uint64_t count = count_of("HEDDLE_VECTOR_INSTRUCTIONS", USUAL);
    uint64_t seed = count_of("HEDDLE_SEED", 1), executed = 0, done = 0;
    const uint64_t first = seed;
    uint32_t wrong = 0;
    while (done < count)
        for (uint32_t bits = HD_VECTOR_BITS_MIN; bits <= HD_VECTOR_BITS_MAX; bits *= 2) {
            rig_open(&r, bits, ORACLE_BYTES);
            randomise(&r, &o, bits, &seed);
            for (uint32_t i = 0; i < 10 && !wrong; i++)
                wrong += one(&r, &o, bits, &seed, &executed);
            done += 10;
            rig_close(&r);
            cr_assert_eq(wrong, 0, "seed %llu, after %llu", (unsigned long long)first, (unsigned long long)done);
        }
    printf("vector instructions: %llu drawn, %llu executed, the others refused by both, seed %llu\n",
           (unsigned long long)done, (unsigned long long)executed, (unsigned long long)first);
    cr_expect_gt(executed, done / 4);
}
