/* SPDX-License-Identifier: MIT */
/* One function per intrinsic; encodings.txt says which instruction each must hold. */
#include "simt.h"

#define HOLDS(name, statement)                                                                                         \
    SIMT_KERNEL(name, volatile uint32_t *words, uint32_t value)                                                        \
    {                                                                                                                  \
        (void)words;                                                                                                   \
        (void)value;                                                                                                   \
        statement;                                                                                                     \
    }

HOLDS(barrier, simt_barrier_number(5))
HOLDS(warp_sync, simt_warp_sync())
HOLDS(vote_any, words[0] = simt_vote_any(value))
HOLDS(vote_all, words[0] = simt_vote_all(value))
HOLDS(ballot_low, words[0] = simt_ballot_low(value))
HOLDS(ballot_high, words[0] = simt_ballot_high(value))
HOLDS(shuffle, words[0] = simt_shuffle(value, words[1]))
HOLDS(shuffle_up, words[0] = simt_shuffle_up(value, words[1]))
HOLDS(shuffle_down, words[0] = simt_shuffle_down(value, words[1]))
HOLDS(shuffle_xor, words[0] = simt_shuffle_xor(value, words[1]))
HOLDS(atomic_swap, words[1] = simt_atomic_swap(words, value))
HOLDS(atomic_add, words[1] = simt_atomic_add(words, value))
HOLDS(atomic_and, words[1] = simt_atomic_and(words, value))
HOLDS(atomic_or, words[1] = simt_atomic_or(words, value))
HOLDS(atomic_xor, words[1] = simt_atomic_xor(words, value))
HOLDS(atomic_min, words[1] = (uint32_t)simt_atomic_min((volatile int32_t *)words, (int32_t)value))
HOLDS(atomic_max, words[1] = (uint32_t)simt_atomic_max((volatile int32_t *)words, (int32_t)value))
HOLDS(atomic_minu, words[1] = simt_atomic_minu(words, value))
HOLDS(atomic_maxu, words[1] = simt_atomic_maxu(words, value))
HOLDS(atomic_cas, words[1] = simt_atomic_cas(words, value, 7))
HOLDS(unlock, simt_unlock(words))
HOLDS(fence, simt_fence())
HOLDS(load_cg, words[0] = simt_load_cg(words))
HOLDS(load_texture, words[0] = simt_load_texture((const uint32_t *)words))
HOLDS(load_texture_float, words[0] = simt_load_texture_float((const float *)words) > 1)
HOLDS(spin_hint, simt_spin_hint())
HOLDS(trace_mark, simt_trace_mark(2047))
HOLDS(print, simt_printf("hello"))
HOLDS(print_argument, simt_printf("%u %c", value, 'x'))
HOLDS(print_all, simt_printf("%u %d %x %g %s %p %u", value, 1, value, 1.5f, "text", (void *)words, 7u))
HOLDS(assertion, simt_assert(value == 3))
HOLDS(thread_x, words[0] = simt_thread_x())
HOLDS(thread_y, words[0] = simt_thread_y())
HOLDS(thread_z, words[0] = simt_thread_z())
HOLDS(block_x, words[0] = simt_block_x())
HOLDS(block_y, words[0] = simt_block_y())
HOLDS(block_z, words[0] = simt_block_z())
HOLDS(block_size_x, words[0] = simt_block_size_x())
HOLDS(block_size_y, words[0] = simt_block_size_y())
HOLDS(block_size_z, words[0] = simt_block_size_z())
HOLDS(grid_size_x, words[0] = simt_grid_size_x())
HOLDS(grid_size_y, words[0] = simt_grid_size_y())
HOLDS(grid_size_z, words[0] = simt_grid_size_z())
HOLDS(lane, words[0] = simt_lane())
HOLDS(warp, words[0] = simt_warp())
HOLDS(core, words[0] = simt_core())
HOLDS(cycle, words[0] = simt_cycle())
HOLDS(instret, words[0] = simt_instret())

#define HOLDS_SPECIAL(name)                                                                                            \
    SIMT_KERNEL(fast_##name, volatile float *words)                                                                    \
    {                                                                                                                  \
        words[0] = simt_fast_##name(words[1]);                                                                         \
    }

HOLDS_SPECIAL(reciprocal)
HOLDS_SPECIAL(square_root)
HOLDS_SPECIAL(reciprocal_root)
HOLDS_SPECIAL(sine)
HOLDS_SPECIAL(cosine)
HOLDS_SPECIAL(exp2)
HOLDS_SPECIAL(log2)
