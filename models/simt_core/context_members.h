/* SPDX-License-Identifier: MIT */
/*
 * What becomes of every member of a block's, warp's, path's and thread's state when a thread block is saved and goes on
 * elsewhere. Who adds a member adds its row, or the build fails; tests hold each row to its word.
 */
#ifndef SIMT_CORE_CONTEXT_MEMBERS_H
#define SIMT_CORE_CONTEXT_MEMBERS_H

#include "entities.h"

/*
 * MOVES: has the same value where the block goes on: it is in the stream, or follows from what is.
 * WAITS: the same, while the path waits at a barrier or warp.sync; else it is nothing.
 * EMPTY: is 0 in a block at rest: context.c waits for that.
 * LOCAL: is of the core in which the block is: a place there, or found again by what moves.
 */
enum context_fate { CONTEXT_MOVES, CONTEXT_WAITS, CONTEXT_EMPTY, CONTEXT_LOCAL };

/* X(member, fate) */
#define CONTEXT_BLOCK_MEMBERS(X)                                                                                       \
    X(launch, MOVES)                                                                                                   \
    X(program, LOCAL)                                                                                                  \
    X(points, LOCAL)                                                                                                   \
    X(commits, LOCAL)                                                                                                  \
    X(switches.values, LOCAL)                                                                                          \
    X(switches.lists, LOCAL)                                                                                           \
    X(tag, MOVES)                                                                                                      \
    X(number, LOCAL)                                                                                                   \
    X(resident, MOVES)                                                                                                 \
    X(threads.launched, MOVES)                                                                                         \
    X(threads.live, MOVES)                                                                                             \
    X(threads.arrived, MOVES)                                                                                          \
    X(warps, MOVES)                                                                                                    \
    X(scratchpad_offset, LOCAL)                                                                                        \
    X(scratchpad_taken, LOCAL)                                                                                         \
    X(releases, EMPTY)                                                                                                 \
    X(stage, MOVES)                                                                                                    \
    X(busy_path, LOCAL)                                                                                                \
    X(reserved, EMPTY)

#define CONTEXT_WARP_MEMBERS(X)                                                                                        \
    X(block, LOCAL)                                                                                                    \
    X(index, MOVES)                                                                                                    \
    X(waiting, EMPTY)                                                                                                  \
    X(synchronising, MOVES)                                                                                            \
    X(stopped, MOVES)                                                                                                  \
    X(reserved, EMPTY)                                                                                                 \
    X(retired, LOCAL) /* what it points to is in the stream, with path_state.count */

#define CONTEXT_PATH_MEMBERS(X)                                                                                        \
    X(instruction, LOCAL) /* is fetched again */                                                                       \
    X(taken, LOCAL)                                                                                                    \
    X(count, LOCAL)                                                                                                    \
    X(synchronised, WAITS)                                                                                             \
    X(sequence, LOCAL)                                                                                                 \
    X(in_flight, EMPTY)                                                                                                \
    X(memory_in_flight, EMPTY)                                                                                         \
    X(acquiring, EMPTY)                                                                                                \
    X(status, MOVES)                                                                                                   \
    X(unit, LOCAL)                                                                                                     \
    X(scheduler, LOCAL)                                                                                                \
    X(barrier, WAITS)                                                                                                  \
    X(reserved, EMPTY)

#define CONTEXT_THREAD_MEMBERS(X)                                                                                      \
    X(memory_in_flight, EMPTY)                                                                                         \
    X(acquiring, EMPTY)

/* What `launch` is in the stream: X(member, width of its numbers in bits), all of them, in this order. */
#define CONTEXT_LAUNCH_MEMBERS(X)                                                                                      \
    X(grid.launch, 32)                                                                                                 \
    X(grid.module, 32)                                                                                                 \
    X(grid.entry_pc, 32)                                                                                               \
    X(grid.argument_bytes, 32)                                                                                         \
    X(grid.argument_address, 64)                                                                                       \
    X(grid.grid_size, 32)                                                                                              \
    X(grid.block_size, 32)                                                                                             \
    X(grid.scratchpad_bytes, 32)                                                                                       \
    X(grid.private_bytes, 32)                                                                                          \
    X(grid.stream, 32)                                                                                                 \
    X(grid.reserved, 32)                                                                                               \
    X(block_index, 32)                                                                                                 \
    X(first_of_grid, 32)                                                                                               \
    X(context_slot, 32)                                                                                                \
    X(context_slots, 32)

/* None of these structs has padding in which a member could hide. */
#define CONTEXT_SIZE_OF_BLOCK(member, fate) +sizeof((block_state *)NULL)->member
#define CONTEXT_SIZE_OF_WARP(member, fate) +sizeof((warp_state *)NULL)->member
#define CONTEXT_SIZE_OF_PATH(member, fate) +sizeof((path_state *)NULL)->member
#define CONTEXT_SIZE_OF_THREAD(member, fate) +sizeof((thread_state *)NULL)->member
#define CONTEXT_SIZE_OF_LAUNCH(member, width) +sizeof((hd_block_launch *)NULL)->member
_Static_assert(sizeof(hd_block_launch) == 0 CONTEXT_LAUNCH_MEMBERS(CONTEXT_SIZE_OF_LAUNCH), "a row for every member");
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(block_state) == 0 CONTEXT_BLOCK_MEMBERS(CONTEXT_SIZE_OF_BLOCK), "a row for every member");
_Static_assert(sizeof(warp_state) == 0 CONTEXT_WARP_MEMBERS(CONTEXT_SIZE_OF_WARP), "a row for every member");
_Static_assert(sizeof(path_state) == 0 CONTEXT_PATH_MEMBERS(CONTEXT_SIZE_OF_PATH), "a row for every member");
_Static_assert(sizeof(thread_state) == 0 CONTEXT_THREAD_MEMBERS(CONTEXT_SIZE_OF_THREAD), "a row for every member");
#endif

#endif
