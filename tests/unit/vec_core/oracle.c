/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <math.h>
#include <string.h>

#define ILLEGAL 2u
#define VILL 0x80000000u

typedef struct fields {
    uint32_t opcode, rd, funct3, rs1, rs2, vm, funct6;
} fields;

static fields split(uint32_t w)
{
    return (fields){w & 127, w >> 7 & 31, w >> 12 & 7, w >> 15 & 31, w >> 20 & 31, w >> 25 & 1, w >> 26};
}

static uint32_t sew(const oracle *o)
{
    return 8u << (o->vtype >> 3 & 7);
}

static uint32_t lmul(const oracle *o)
{
    return 1u << (o->vtype & 7);
}

/* Byte k of a group of registers. */
static uint8_t *byte_of(oracle *o, uint32_t reg, uint32_t k)
{
    const uint32_t bytes = o->bits / 8;
    return &o->v[(reg + k / bytes) & 31][k % bytes];
}

static uint64_t read_element(oracle *o, uint32_t reg, uint32_t i, uint32_t width)
{
    uint64_t value = 0;
    for (uint32_t k = 0; k < width / 8; k++)
        value |= (uint64_t)*byte_of(o, reg, i * width / 8 + k) << 8 * k;
    return value;
}

static void write_element(oracle *o, uint32_t reg, uint32_t i, uint32_t width, uint64_t value)
{
    for (uint32_t k = 0; k < width / 8; k++)
        *byte_of(o, reg, i * width / 8 + k) = (uint8_t)(value >> 8 * k);
}

static int mask_bit(const oracle *o, uint32_t reg, uint32_t i)
{
    return o->v[reg][i >> 3] & 1 << (i & 7) ? 1 : 0;
}

static void put_mask_bit(oracle *o, uint32_t reg, uint32_t i, int value)
{
    if (value)
        o->v[reg][i >> 3] |= (uint8_t)(1 << (i & 7));
    else
        o->v[reg][i >> 3] &= (uint8_t) ~(1 << (i & 7));
}

static int64_t as_signed(uint64_t value, uint32_t width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t cut(uint64_t value, uint32_t width)
{
    return value & ((UINT64_C(1) << width) - 1);
}

/* ---- Configuration ---------------------------------------------------------------------------------------------------- */

static uint32_t configure(oracle *o, uint32_t w)
{
    const fields d = split(w);
    uint32_t type, avl;
    if (w >> 31 == 0) {
        type = w >> 20 & 0x7FF;
        avl = d.rs1 ? o->x[d.rs1] : d.rd ? UINT32_MAX : o->vl;
    } else if (w >> 30 == 3) {
        type = w >> 20 & 0x3FF;
        avl = d.rs1;
    } else {
        if (w >> 25 != 0x40)
            return ILLEGAL;
        type = o->x[d.rs2];
        avl = d.rs1 ? o->x[d.rs1] : d.rd ? UINT32_MAX : o->vl;
    }
    const uint32_t width = type >> 3 & 7, group = type & 7;
    if (type > 255 || group > 3 || (width != 0 && width != 2)) {
        o->vtype = VILL;
        o->vl = 0;
    } else {
        o->vtype = type;
        const uint32_t vlmax = (o->bits << group) / (8u << width);
        o->vl = avl > vlmax ? vlmax : avl;
    }
    if (d.rd)
        o->x[d.rd] = o->vl;
    return ORACLE_FINE;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------------- */

static uint32_t cause_of(uint32_t address, uint32_t bytes, int is_store)
{
    if (address & (bytes - 1))
        return is_store ? 6 : 4;
    if (address < ORACLE_BASE || address - ORACLE_BASE > ORACLE_BYTES - bytes)
        return is_store ? 7 : 5;
    return ORACLE_FINE;
}

static uint32_t width_bits(uint32_t funct3)
{
    return funct3 == 0 ? 8 : funct3 == 6 ? 32 : 0;
}

typedef struct access {
    uint32_t reg, count, width; /* of the data */
    uint32_t index, index_width;
    int is_store, first_only, is_masked;
    uint32_t base;
} access;

static uint32_t address_of(oracle *o, const access *a, uint32_t i)
{
    return a->base + (a->index_width ? (uint32_t)read_element(o, a->index, i, a->index_width) : i * (a->width / 8));
}

static uint32_t check_access(oracle *o, access *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const uint32_t cause = cause_of(address_of(o, a, i), a->width / 8, a->is_store);
        if ((a->is_masked && !mask_bit(o, 0, i)) || cause == ORACLE_FINE)
            continue;
        if (!a->first_only || i == 0)
            return cause;
        o->vl = a->count = i;
    }
    return ORACLE_FINE;
}

static void carry_out(oracle *o, const access *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->is_masked && !mask_bit(o, 0, i))
            continue;
        uint8_t *at = o->memory + (address_of(o, a, i) - ORACLE_BASE);
        uint64_t value = read_element(o, a->reg, i, a->width);
        if (a->is_store) {
            memcpy(at, &value, a->width / 8);
        } else {
            value = 0;
            memcpy(&value, at, a->width / 8);
            write_element(o, a->reg, i, a->width, value);
        }
    }
}

static uint32_t access_memory(oracle *o, uint32_t w)
{
    const fields d = split(w);
    const uint32_t mop = w >> 26 & 3, nf_mew = w >> 28, width = width_bits(d.funct3);
    access a = {.reg = d.rd, .count = o->vl, .is_store = d.opcode == 0x27, .is_masked = !d.vm, .base = o->x[d.rs1]};
    uint32_t emul8; /* eighths of a register, so that halves are whole numbers */
    if (nf_mew || !width)
        return ILLEGAL;
    if (o->vtype & VILL)
        return ILLEGAL;
    if (mop == 0) {
        const int is_mask = d.rs2 == 11;
        a.first_only = d.rs2 == 16 && !a.is_store;
        if (d.rs2 != 0 && !is_mask && !a.first_only)
            return ILLEGAL;
        a.width = width;
        emul8 = 8 * lmul(o) * width / sew(o);
        if (is_mask) {
            if (!d.vm || width != 8)
                return ILLEGAL;
            a.count = (o->vl + 7) / 8;
            emul8 = 8;
        }
    } else if (mop == 1 || mop == 3) {
        a.index = d.rs2;
        a.index_width = width;
        a.width = sew(o);
        emul8 = 8 * lmul(o);
        const uint32_t index8 = 8 * lmul(o) * width / sew(o);
        if (index8 > 64 || (index8 >= 8 && d.rs2 % (index8 / 8)))
            return ILLEGAL;
    } else {
        return ILLEGAL;
    }
    if (emul8 > 64 || (emul8 >= 8 && d.rd % (emul8 / 8)) || (!a.is_store && a.is_masked && d.rd == 0))
        return ILLEGAL;
    const uint32_t old_vl = o->vl;
    const uint32_t cause = check_access(o, &a);
    if (cause != ORACLE_FINE) {
        o->vl = old_vl;
        return cause;
    }
    carry_out(o, &a);
    return ORACLE_FINE;
}

/* ---- Integers ----------------------------------------------------------------------------------------------------------- */

static int compare(uint32_t funct6, uint64_t a, uint64_t b, uint32_t width)
{
    const int64_t sa = as_signed(a, width), sb = as_signed(b, width);
    switch (funct6) {
    case 24: return a == b;
    case 25: return a != b;
    case 26: return a < b;
    case 27: return sa < sb;
    case 28: return a <= b;
    case 29: return sa <= sb;
    case 30: return a > b;
    default: return sa > sb;
    }
}

static uint64_t arithmetic(uint32_t funct6, uint64_t a, uint64_t b, uint32_t width)
{
    const int64_t sa = as_signed(a, width), sb = as_signed(b, width);
    const uint32_t shift = (uint32_t)b & (width - 1);
    switch (funct6) {
    case 0: return a + b;
    case 2: return a - b;
    case 3: return b - a;
    case 4: return a < b ? a : b;
    case 5: return sa < sb ? a : b;
    case 6: return a < b ? b : a;
    case 7: return sa < sb ? b : a;
    case 9: return a & b;
    case 10: return a | b;
    case 11: return a ^ b;
    case 37: return a << shift;
    case 40: return a >> shift;
    default: return (uint64_t)(sa >> shift);
    }
}

/* Forms that exist: bit 0 vector, bit 1 scalar, bit 2 immediate. */
static uint32_t forms_of(uint32_t funct6)
{
    switch (funct6) {
    case 0:
    case 9:
    case 10:
    case 11:
    case 23:
    case 24:
    case 25:
    case 28:
    case 29:
    case 37:
    case 40:
    case 41: return 7;
    case 2:
    case 4:
    case 5:
    case 6:
    case 7:
    case 26:
    case 27: return 3;
    case 3:
    case 30:
    case 31: return 6;
    default: return 0;
    }
}

static uint32_t integer(oracle *o, uint32_t w)
{
    const fields d = split(w);
    const uint32_t form = d.funct3 == 0 ? 1 : d.funct3 == 4 ? 2 : 4, width = sew(o), group = lmul(o);
    const int is_compare = d.funct6 >= 24 && d.funct6 <= 31, is_shift = d.funct6 >= 37;
    if (!(forms_of(d.funct6) & form) || (d.funct6 == 23 && d.vm && d.rs2))
        return ILLEGAL;
    if ((!is_compare && d.rd % group) || d.rs2 % group || (form == 1 && d.rs1 % group) ||
        (!is_compare && !d.vm && d.rd == 0))
        return ILLEGAL;
    const int64_t immediate = is_shift ? (int64_t)d.rs1 : as_signed(d.rs1, 5);
    for (uint32_t i = 0; i < o->vl; i++) {
        const uint64_t a = read_element(o, d.rs2, i, width);
        const uint64_t b = form == 1   ? read_element(o, d.rs1, i, width)
                           : form == 2 ? cut(o->x[d.rs1], width)
                                       : cut((uint64_t)immediate, width);
        const int active = d.vm || mask_bit(o, 0, i);
        if (d.funct6 == 23)
            write_element(o, d.rd, i, width, active ? b : a);
        else if (active && is_compare)
            put_mask_bit(o, d.rd, i, compare(d.funct6, a, b, width));
        else if (active)
            write_element(o, d.rd, i, width, cut(arithmetic(d.funct6, a, b, width), width));
    }
    return ORACLE_FINE;
}

/* ---- Masks, sums, single elements ------------------------------------------------------------------------------------- */

static uint32_t reduce(oracle *o, const fields *d)
{
    const uint32_t width = sew(o);
    uint64_t sum = read_element(o, d->rs1, 0, width);
    if (d->rs2 % lmul(o))
        return ILLEGAL;
    for (uint32_t i = 0; i < o->vl; i++)
        if (d->vm || mask_bit(o, 0, i))
            sum = cut(arithmetic(d->funct6, sum, read_element(o, d->rs2, i, width), width), width);
    if (o->vl)
        write_element(o, d->rd, 0, width, sum);
    return ORACLE_FINE;
}

static uint32_t logical(oracle *o, const fields *d)
{
    if (!d->vm)
        return ILLEGAL;
    for (uint32_t i = 0; i < o->vl; i++) {
        const int a = mask_bit(o, d->rs2, i), b = mask_bit(o, d->rs1, i);
        const int results[] = {a && !b, a && b, a || b, a != b, a || !b, !(a && b), !(a || b), a == b};
        put_mask_bit(o, d->rd, i, results[d->funct6 - 24]);
    }
    return ORACLE_FINE;
}

static uint32_t count_or_find(oracle *o, const fields *d)
{
    uint32_t count = 0, first = UINT32_MAX;
    for (uint32_t i = 0; i < o->vl; i++)
        if ((d->vm || mask_bit(o, 0, i)) && mask_bit(o, d->rs2, i)) {
            count++;
            first = first == UINT32_MAX ? i : first;
        }
    if (d->rd)
        o->x[d->rd] = d->rs1 == 16 ? count : first;
    return ORACLE_FINE;
}

static uint32_t around_first(oracle *o, const fields *d)
{
    uint8_t source[256];
    int found = 0;
    if (!d->vm && d->rd == 0)
        return ILLEGAL;
    memcpy(source, o->v[d->rs2], sizeof source);
    for (uint32_t i = 0; i < o->vl; i++) {
        if (!d->vm && !mask_bit(o, 0, i))
            continue;
        const int bit = source[i >> 3] >> (i & 7) & 1, here = bit && !found;
        found |= bit;
        put_mask_bit(o, d->rd, i, d->rs1 == 1 ? !found : d->rs1 == 2 ? here : !found || here);
    }
    return ORACLE_FINE;
}

static uint32_t mask_and_scalar(oracle *o, uint32_t w)
{
    const fields d = split(w);
    if (d.funct6 <= 7)
        return d.funct6 == 0 || d.funct6 >= 4 ? reduce(o, &d) : ILLEGAL;
    if (d.funct6 >= 24 && d.funct6 <= 31)
        return logical(o, &d);
    if (d.funct6 == 16 && d.rs1 == 0 && d.vm) {
        if (d.rd)
            o->x[d.rd] = (uint32_t)as_signed(read_element(o, d.rs2, 0, sew(o)), sew(o));
        return ORACLE_FINE;
    }
    if (d.funct6 == 16 && (d.rs1 == 16 || d.rs1 == 17))
        return count_or_find(o, &d);
    if (d.funct6 == 20 && d.rs1 >= 1 && d.rs1 <= 3)
        return around_first(o, &d);
    if (d.funct6 == 20 && d.rs1 == 17 && d.rs2 == 0) {
        if (d.rd % lmul(o) || (!d.vm && d.rd == 0))
            return ILLEGAL;
        for (uint32_t i = 0; i < o->vl; i++)
            if (d.vm || mask_bit(o, 0, i))
                write_element(o, d.rd, i, sew(o), i);
        return ORACLE_FINE;
    }
    return ILLEGAL;
}

static uint32_t multiply(oracle *o, const fields *d)
{
    const uint32_t width = sew(o), group = lmul(o), is_vector = d->funct3 == 2;
    if (d->rd % group || d->rs2 % group || (is_vector && d->rs1 % group) || (!d->vm && d->rd == 0))
        return ILLEGAL;
    for (uint32_t i = 0; i < o->vl; i++) {
        const uint64_t b = is_vector ? read_element(o, d->rs1, i, width) : o->x[d->rs1];
        if (d->vm || mask_bit(o, 0, i))
            write_element(o, d->rd, i, width, cut(read_element(o, d->rs2, i, width) * b, width));
    }
    return ORACLE_FINE;
}

/* ---- Floats --------------------------------------------------------------------------------------------------------------- */

static float float_element(oracle *o, uint32_t reg, uint32_t i)
{
    const uint32_t bits = (uint32_t)read_element(o, reg, i, 32);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? 0x7FC00000u : bits;
}

static uint32_t floats(oracle *o, uint32_t w)
{
    const fields d = split(w);
    const uint32_t group = lmul(o), is_vector = d.funct3 == 1;
    if (sew(o) != 32)
        return ILLEGAL;
    if (d.funct6 == 16 && d.vm) { /* one element, as it is */
        uint32_t bits = (uint32_t)read_element(o, d.rs2, 0, 32);
        if (is_vector && d.rs1 == 0)
            memcpy(&o->f[d.rd], &bits, sizeof bits);
        else if (!is_vector && d.rs2 == 0 && o->vl) {
            memcpy(&bits, &o->f[d.rs1], sizeof bits);
            write_element(o, d.rd, 0, 32, bits);
        } else if (is_vector || d.rs2)
            return ILLEGAL;
        return ORACLE_FINE;
    }
    if (is_vector && d.funct6 == 3) {
        uint32_t sum = (uint32_t)read_element(o, d.rs1, 0, 32);
        if (d.rs2 % group)
            return ILLEGAL;
        for (uint32_t i = 0; i < o->vl; i++)
            if (d.vm || mask_bit(o, 0, i)) {
                float so_far;
                memcpy(&so_far, &sum, sizeof so_far);
                sum = bits_of(so_far + float_element(o, d.rs2, i));
            }
        if (o->vl)
            write_element(o, d.rd, 0, 32, sum);
        return ORACLE_FINE;
    }
    if ((d.funct6 != 0 && d.funct6 != 36 && !(d.funct6 == 2 && is_vector)) || d.rd % group || d.rs2 % group ||
        (is_vector && d.rs1 % group) || (!d.vm && d.rd == 0))
        return ILLEGAL;
    for (uint32_t i = 0; i < o->vl; i++) {
        const float a = float_element(o, d.rs2, i), b = is_vector ? float_element(o, d.rs1, i) : o->f[d.rs1];
        if (d.vm || mask_bit(o, 0, i))
            write_element(o, d.rd, i, 32, bits_of(d.funct6 == 36 ? a * b : d.funct6 == 2 ? a - b : a + b));
    }
    return ORACLE_FINE;
}

uint32_t oracle_step(oracle *o, uint32_t word)
{
    const fields d = split(word);
    if (d.opcode == 0x07 || d.opcode == 0x27)
        return access_memory(o, word);
    if (d.opcode != 0x57)
        return ILLEGAL;
    if (d.funct3 == 7)
        return configure(o, word);
    if (o->vtype & VILL)
        return ILLEGAL;
    if (d.funct3 == 1 || d.funct3 == 5)
        return floats(o, word);
    if (d.funct3 == 2 && d.funct6 != 37)
        return mask_and_scalar(o, word);
    if (d.funct3 == 2 || (d.funct3 == 6 && d.funct6 == 37))
        return multiply(o, &d);
    if (d.funct3 == 6) {
        if (d.funct6 != 16 || !d.vm || d.rs2)
            return ILLEGAL;
        if (o->vl)
            write_element(o, d.rd, 0, sew(o), o->x[d.rs1]);
        return ORACLE_FINE;
    }
    return integer(o, word);
}
