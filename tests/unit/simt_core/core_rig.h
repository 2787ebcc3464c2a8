/* SPDX-License-Identifier: MIT */
/* One SIMT core with a program made of instruction words, a memory that answers after a delay, and launches by hand. */
#ifndef TEST_CORE_RIG_H
#define TEST_CORE_RIG_H

#include "hd_accesses.h"
#include "hd_address.h"
#include "hd_transactions.h"
#include "kit.h"
#include "program.h"
#include "simt_core.h"

/* Ports, in the order of the declaration. */
enum { REQUEST, REPLY, DISPATCH, EVENT, TRANSACTION_REQUEST, TRANSACTION_REPLY };

#define CODE HD_GLOBAL_BASE
#define DATA (HD_GLOBAL_BASE + 0x10000u)

/* Registers */
enum { ZERO, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5, A6, A7 };

/* Instruction words */
uint32_t r_type(uint32_t opcode, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1, uint32_t rs2);
uint32_t i_type(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t immediate);
uint32_t addi(uint32_t rd, uint32_t rs1, int32_t immediate);
uint32_t add(uint32_t rd, uint32_t rs1, uint32_t rs2);
uint32_t mul(uint32_t rd, uint32_t rs1, uint32_t rs2);
uint32_t divu(uint32_t rd, uint32_t rs1, uint32_t rs2);
uint32_t remu(uint32_t rd, uint32_t rs1, uint32_t rs2);
uint32_t srli(uint32_t rd, uint32_t rs1, uint32_t shift);
uint32_t slli(uint32_t rd, uint32_t rs1, uint32_t shift);
uint32_t andi(uint32_t rd, uint32_t rs1, int32_t immediate);
uint32_t sub(uint32_t rd, uint32_t rs1, uint32_t rs2);
uint32_t lui(uint32_t rd, uint32_t upper);
uint32_t lbu(uint32_t rd, int32_t offset, uint32_t rs1);
uint32_t lw(uint32_t rd, int32_t offset, uint32_t rs1);
uint32_t sw(uint32_t rs2, int32_t offset, uint32_t rs1);
uint32_t beq(uint32_t rs1, uint32_t rs2, int32_t offset);
uint32_t bne(uint32_t rs1, uint32_t rs2, int32_t offset);
uint32_t blt(uint32_t rs1, uint32_t rs2, int32_t offset);
uint32_t jal(uint32_t rd, int32_t offset);
uint32_t jalr(uint32_t rd, uint32_t rs1, int32_t offset);
uint32_t csrr(uint32_t rd, uint32_t csr);
uint32_t csrrw(uint32_t rd, uint32_t csr, uint32_t rs1);
uint32_t amocas(uint32_t rd, uint32_t rs2, uint32_t rs1);
uint32_t amoadd(uint32_t rd, uint32_t rs2, uint32_t rs1);
uint32_t amoswap_acquire(uint32_t rd, uint32_t rs2, uint32_t rs1);
uint32_t amoswap_release(uint32_t rd, uint32_t rs2, uint32_t rs1);
uint32_t fence(void);
uint32_t bar_sync(uint32_t number);
uint32_t warp_sync(void);
uint32_t vote_any(uint32_t rd, uint32_t rs1);
uint32_t ret(void);
uint32_t lb(uint32_t rd, int32_t offset, uint32_t rs1);
uint32_t sb(uint32_t rs2, int32_t offset, uint32_t rs1);
uint32_t sh(uint32_t rs2, int32_t offset, uint32_t rs1);
uint32_t begin_tx(uint32_t domain);
uint32_t commit_tx(void);
uint32_t abort_tx(uint32_t reason);

/* A program of these words at CODE, up to the first 0, that begins with the first; core_words.c. */
isa_program *program_of_words(const uint32_t *words);
void program_of_words_free(isa_program *program); /* or NULL */

typedef struct core_rig core_rig;

/* parameters as for kit_create; words ends with the first 0. The rig owns everything. */
core_rig *rig_create(const char *const *parameters, const uint32_t *words);
/* The same as number `index` of `count` cores. */
core_rig *rig_create_as(const char *const *parameters, const uint32_t *words, uint32_t index, uint32_t count);
/* The same with another class of the kind, which may touch memory directly. */
core_rig *rig_create_of(const hd_block_class *type, const char *const *parameters, const uint32_t *words);
/* The same with a program that is the caller's, and which the core may change; its code begins at CODE. */
core_rig *rig_create_with(const hd_block_class *type, const char *const *parameters, isa_program *program);
const hd_block_class *rig_class(const core_rig *rig);
/* One more core with the same program and the same memory, which must outlive it; its tags begin at RIG_SECOND_TAG. */
core_rig *rig_create_beside(core_rig *first, const char *const *parameters);
#define RIG_SECOND_TAG 32u
#define RIG_CONTEXT_SLOTS 1024u
void rig_destroy(core_rig *rig);
kit_block *rig_kit(core_rig *rig);
/* Whoever is in the partitions beside their memory, for rigs that are created from now on: takes every request whose class
 * is HD_CLASS_TRANSACTION, and owns it; it answers by kit_send to REPLY or TRANSACTION_REPLY. And who is told of commits; NULL: nobody. */
typedef void rig_unit(core_rig *rig, void *context, hd_packet *packet, hd_time t);
void rig_has_unit(rig_unit *unit, void *context, const hd_transactions *told);
/* Whoever listens to the slices: puts something behind the data of a reply to a load of a transaction, by hd_tap_append. For rigs
 * that are created from now on; NULL: nobody. The context is that of rig_has_unit. */
typedef void rig_appendix(core_rig *rig, void *context, const hd_packet *request, hd_packet *reply, hd_time t);
void rig_appends(rig_appendix *append);
/* Who is told of accesses, by rigs that are created from now on; NULL: nobody. */
void rig_tells(const hd_accesses *told);
/* Programs of rigs that are created from now on are changed by this transform, and this analysis takes the place of the one of its
 * name; NULL: nothing is. */
struct isa_transform;
struct isa_analysis;
/* Atomics of programs that are made from now on are those of locks. */
void rig_marks_locks(uint32_t marks);
void rig_changes(const struct isa_transform *transform, const struct isa_analysis *analysis);
/* Sends to REPLY at t; where a unit answers too, not before what has been sent there. */
void rig_send_reply(core_rig *rig, hd_packet *packet, hd_time t);
/* So many partitions of 256 bytes, at endpoints 1, 2, ..., for rigs that are created from now on; default 2. */
void rig_has_partitions(uint32_t partitions);
/* Cores of rigs that are created from now on are renewed at random times (kit_renew); seed 0: they are not. */
void rig_renews(uint64_t seed, uint32_t only_stops);
/* 1: rigs that are created from now on are traced (kit_recorded). */
void rig_record(uint32_t records);
/* Cycles from a request's arrival at the memory to its reply's arrival at the core; default 20. */
void rig_memory_delay(core_rig *rig, uint32_t cycles);
/* Word of the memory behind the core. */
uint32_t rig_word(core_rig *rig, uint64_t address);
void rig_set_word(core_rig *rig, uint64_t address, uint32_t value);

/* Launches a block of x threads, or of a whole shape, at t. Tag and context slot are counted up; another grid->launch than
 * that of the block before makes it the first of its grid. */
void rig_launch(core_rig *rig, uint32_t threads, hd_time t);
void rig_launch_grid(core_rig *rig, const hd_grid *grid, const uint32_t block_index[3], hd_time t);
/* Runs until all launched blocks are done; the cycle of the last block.done as sent. Aborts the test after 10^6 cycles. */
uint64_t rig_finish(core_rig *rig);
/* No thread is left: all that they have spent is in one class or another. Without transactions nobody counts. rig_finish does this. */
void rig_expect_thread_cycles(core_rig *rig);
/* The core and the memory behind it as at the start. */
void rig_reset(core_rig *rig);
/* The memory behind it alone, and what has been launched and has ended. */
void rig_forget(core_rig *rig);
/* How many blocks have ended here. */
uint32_t rig_done(const core_rig *rig);
/* Cycle after which the last block.done was sent and nothing more happened. */
uint64_t rig_ended(core_rig *rig);
/* How many launches ended before the one with this tag. */
uint32_t rig_order(core_rig *rig, uint32_t tag);
/* The same for one block of so many threads on a fresh core: everything in one call. */
uint64_t rig_cycles(const char *const *parameters, const uint32_t *words, uint32_t threads);

#endif
