/* SPDX-License-Identifier: MIT */
/*
 * Loops whose lanes wait for each other, and loops that look like it (after ElTantawy 2018, chapters 3 and 4). Each kernel is one
 * function. D: deadlocks on a reconvergence stack; N: does not, if the compiler keeps its shape; A, L: no waiting at all; F: a
 * search has to take it for a deadlock; M: the lock is taken and given back in functions of their own; B: a barrier in code that
 * only some lanes are in.
 */
#include "simt.h"

#define ALWAYS static inline __attribute__((always_inline))
#define KERNEL __attribute__((used, noinline)) void

typedef uint32_t u32;

ALWAYS u32 xchg(volatile u32 *p, u32 v)
{
    return __atomic_exchange_n(p, v, __ATOMIC_ACQ_REL);
}

ALWAYS u32 cas(volatile u32 *p, u32 e, u32 d)
{
    __atomic_compare_exchange_n(p, &e, d, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return e;
}

/* Read anew wherever it is asked for, as in the literature's listings. */
ALWAYS u32 tid(void)
{
    u32 index;
    __asm__ volatile("csrr %0, 0xCC0" : "=r"(index));
    return index;
}

#ifndef N
#define N 32 /* lanes of a warp */
#endif

KERNEL D01(u32 *m, u32 *c)
{
    while (cas(m, 0, 1) != 0)
        ;
    (*c)++;
    xchg(m, 0);
}

KERNEL D02(u32 *m, u32 *c)
{
    while (xchg(m, 1) != 0)
        ;
    (*c)++;
    xchg(m, 0);
}

KERNEL D03(volatile u32 *m, u32 *c)
{
    for (;;) {
        while (*m)
            ;
        if (xchg(m, 1) == 0)
            break;
    }
    (*c)++;
    __atomic_store_n(m, 0, __ATOMIC_RELEASE);
}

KERNEL D04(u32 *m, u32 *c, u32 *d)
{
    while (xchg(m, 1))
        ;
    if (d[tid()]) {
        (*c)++;
        xchg(m, 0);
        return;
    }
    (*c) += 2;
    xchg(m, 0);
    d[tid()] = 7;
}

KERNEL D05(u32 *m1, u32 *m2, u32 *c, u32 *d)
{
    while (xchg(m1, 1))
        ;
    while (xchg(m2, 1))
        ;
    if (d[tid()]) {
        (*c)++;
        xchg(m1, 0);
        xchg(m2, 0);
    } else {
        (*c) += 2;
        xchg(m1, 0);
        xchg(m2, 0);
    }
    d[tid()] = 7;
}

KERNEL D06(u32 *m, u32 *c, u32 *d)
{
    u32 n = d[tid()];
    do {
        while (xchg(m, 1))
            ;
        if ((*c & 3) == 1) {
            (*c) += 3;
            xchg(m, 0);
            break;
        }
        (*c)++;
        xchg(m, 0);
    } while (--n);
}

KERNEL D07(volatile int *start, int *cnt, int *sort, int *child, int bottom, int k, int dec, int nb)
{
    while (k >= bottom) {
        int s;
        while ((s = start[k]) < 0)
            ;
        for (int i = 0; i < 2; i++) {
            int ch = child[2 * k + i];
            if (ch >= nb) {
                start[ch] = s;
                s += cnt[ch];
            } else if (ch >= 0) {
                sort[s] = ch;
                s++;
            }
        }
        k -= dec;
    }
}

KERNEL D08(volatile u32 *f, u32 *d)
{
    if (tid() & 1) {
        while (*f == 0)
            ;
    } else {
        d[tid()] = 5;
        *f = 1;
    }
    d[tid()] += 1;
}

KERNEL D08b(volatile u32 *f, u32 *d)
{
    if (!(tid() & 1)) {
        d[tid()] = 5;
        *f = 1;
    } else {
        while (*f == 0)
            ;
    }
    d[tid()] += 1;
}

KERNEL D09(volatile u32 *a, volatile u32 *b, u32 n)
{
    if (tid() & 1)
        for (u32 i = 1; i <= n; i++) {
            while (*a < i)
                ;
            *b = i;
        }
    else
        for (u32 i = 1; i <= n; i++) {
            *a = i;
            while (*b < i)
                ;
        }
}

KERNEL D10(u32 *m, u32 *c, u32 spin)
{
    while (xchg(m, 1)) {
        u32 s = simt_cycle();
        while (simt_cycle() - s < spin)
            ;
    }
    (*c)++;
    xchg(m, 0);
}

typedef struct entry {
    u32 key, val;
    struct entry *next;
} entry;

KERNEL D11(u32 *keys, u32 *vals, entry *pool, entry **tab, u32 *lk, u32 nb, u32 n, u32 stride)
{
    for (u32 t = tid(); t < n; t += stride) {
        u32 k = keys[t], h = k & (nb - 1);
        entry *e = &pool[t];
        e->key = k;
        e->val = vals[t];
        while (xchg(&lk[h], 1))
            ;
        e->next = tab[h];
        tab[h] = e;
        xchg(&lk[h], 0);
    }
}

KERNEL D12(u32 *m1, u32 *m2, u32 *c)
{
    if (tid() & 1) {
        while (xchg(m1, 1))
            ;
        while (xchg(m2, 1))
            ;
        (*c)++;
        xchg(m2, 0);
        xchg(m1, 0);
    } else {
        while (xchg(m2, 1))
            ;
        (*c)++;
        xchg(m2, 0);
    }
    c[1 + tid()] = 1;
}

KERNEL N01(u32 *m, u32 *c)
{
    u32 done = 0;
    while (!done) {
        if (xchg(m, 1) == 0) {
            (*c)++;
            xchg(m, 0);
            done = 1;
        }
    }
}

KERNEL N01v(u32 *m, u32 *c)
{
    volatile u32 done = 0;
    while (!done) {
        if (xchg(m, 1) == 0) {
            (*c)++;
            xchg(m, 0);
            done = 1;
        }
    }
}

KERNEL N01b(u32 *m, u32 *c)
{
    u32 done = 0;
    while (!done) {
        if (xchg(m, 1) == 0) {
            (*c)++;
            xchg(m, 0);
            done = 1;
        }
        __asm__ volatile("" : "+r"(done));
    }
}

KERNEL N02(volatile int *start, int *cnt, int *sort, int *child, int bottom, int k, int dec, int nb)
{
    while (k >= bottom) {
        int s = start[k];
        if (s >= 0) {
            for (int i = 0; i < 2; i++) {
                int ch = child[2 * k + i];
                if (ch >= nb) {
                    start[ch] = s;
                    s += cnt[ch];
                } else if (ch >= 0) {
                    sort[s] = ch;
                    s++;
                }
            }
            k -= dec;
        }
    }
}

KERNEL N03(u32 *m1, u32 *m2, u32 *c)
{
    u32 done = 0;
    while (!done) {
        if (xchg(m1, 1) == 0) {
            if (xchg(m2, 1) == 0) {
                (*c)++;
                xchg(m2, 0);
                xchg(m1, 0);
                done = 1;
            } else {
                xchg(m1, 0);
            }
        }
    }
}

KERNEL N04(u32 *n, u32 *o)
{
    u32 s = 0;
    for (u32 i = 0; i < n[tid()]; i++)
        s += i * i;
    simt_barrier();
    o[tid()] = s;
}

KERNEL N05(volatile u32 *x, u32 *y)
{
    while (x[tid()] > 3)
        x[tid()]--;
    simt_barrier();
    x[tid() ^ 1] = 9;
    y[tid()] = 1;
}

KERNEL N11(u32 *keys, u32 *vals, entry *pool, entry **tab, u32 *lk, u32 nb, u32 n, u32 stride)
{
    for (u32 t = tid(); t < n; t += stride) {
        u32 k = keys[t], h = k & (nb - 1), done = 0;
        entry *e = &pool[t];
        e->key = k;
        e->val = vals[t];
        while (!done) {
            if (xchg(&lk[h], 1) == 0) {
                e->next = tab[h];
                tab[h] = e;
                xchg(&lk[h], 0);
                done = 1;
            }
        }
    }
}

KERNEL A01(u32 *p)
{
    u32 o = *p, nw;
    do
        nw = o * 3 + 1;
    while (!__atomic_compare_exchange_n(p, &o, nw, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* There is a branch between the load reserved and the store conditional: who is kept from the latter there finds the word changed. */
ALWAYS void set_sign(volatile u32 *p)
{
    u32 value, failed;
    __asm__ volatile("1: lr.w.aq %0, (%2)\n"
                     "   bltz %0, 2f\n"
                     "   or   %0, %0, %3\n"
                     "   sc.w %1, %0, (%2)\n"
                     "   bnez %1, 1b\n"
                     "2:"
                     : "=&r"(value), "=&r"(failed)
                     : "r"(p), "r"(1u << 31)
                     : "memory");
}

KERNEL A02(volatile u32 *p, u32 *d)
{
    if (tid() % N)
        for (u32 i = 0; i < 20; i++)
            *p = tid();
    else
        set_sign(p);
    d[tid()] = 1;
}

KERNEL L01(u32 *n, u32 *o)
{
    u32 k = n[tid()], s = 0;
    while (k) {
        s += k;
        k = (k & 1) ? k - 1 : k >> 1;
    }
    o[tid()] = s;
}

KERNEL F01(u32 *m, u32 *c)
{
    u32 lane = tid() & 31;
    for (u32 i = 0; i < 32; i++)
        if (lane == i) {
            while (xchg(m, 1))
                ;
            (*c)++;
            xchg(m, 0);
        }
}

KERNEL F02(u32 *n, u32 *o)
{
    u32 s = 0;
    for (u32 i = 0; i < n[tid()]; i++)
        s += i * i;
    o[tid()] = s;
}

typedef struct node {
    u32 v;
    struct node *nx;
} node;

KERNEL F03(node **h, u32 *o)
{
    node *p = h[tid()];
    u32 s = 0;
    while (p) {
        s += p->v;
        p = p->nx;
    }
    o[tid()] = s;
}

#define COUNT_BYTE(number)                                                                                             \
    do {                                                                                                               \
        u32 c, d = in[tid()] >> (8 * (number)) & 0xFF;                                                                 \
        do {                                                                                                           \
            c = h[d] & 0x07FFFFFF;                                                                                     \
            c = (tid() << 27) | (c + 1);                                                                               \
            h[d] = c;                                                                                                  \
        } while (h[d] != c);                                                                                           \
    } while (0)

KERNEL F04(volatile u32 *h, u32 *in)
{
    COUNT_BYTE(0);
    COUNT_BYTE(1);
    COUNT_BYTE(2);
    COUNT_BYTE(3);
}

KERNEL F05(volatile u32 *f, u32 *d)
{
    for (u32 it = 0; it < 4; it++) {
        while (!simt_vote_all(f[tid()] > it))
            ;
        d[tid()] = it;
        f[tid() + 64] = it;
    }
}

KERNEL F06(volatile u32 *fl, u32 *d)
{
    u32 t = tid(), w = t / N;
    if (t % N == 0 && w)
        while (fl[w - 1] == 0)
            ;
    d[t] += 1;
    if (t % N == 0)
        fl[w] = 1;
}

static __attribute__((noinline)) void lock(u32 *m)
{
    while (xchg(m, 1) != 0)
        ;
}

static __attribute__((noinline)) void unlock(u32 *m)
{
    xchg(m, 0);
}

KERNEL M01(u32 *m, u32 *c)
{
    lock(m);
    (*c)++;
    unlock(m);
}

KERNEL B01(volatile u32 *s, u32 *o)
{
    u32 t = tid();
    if (t & 1) {
        s[t] = t;
        simt_barrier();
        o[t] = s[t ^ 1];
    } else {
        s[t] = 2 * t;
        simt_barrier();
        o[t] = s[t ^ 1];
    }
}
