/* SPDX-License-Identifier: MIT */
#include "rewrite.h"

#include "displace.h"
#include "loading.h"

#include <stdlib.h>
#include <string.h>

#define LINE 128u     /* the new segment shares no line of a cache with data */
#define ROOM 0x10000u /* words that there has to be room for where detours stand */

enum { REPLACE, INSERT, ADD };

typedef struct edit {
    uint32_t kind;
    uint32_t pc;
    uint32_t first; /* of its words */
    uint32_t count;
} edit;

/* An instruction that something is put before, or that is done elsewhere. */
typedef struct site {
    uint32_t pc;
    uint32_t entry;     /* index in the code: where the jump goes */
    uint32_t displaced; /* index in the code: the instruction */
} site;

struct isa_rewrite {
    isa_program *program;
    edit *edits; /* in the order in which they have been asked for; then by pc */
    uint32_t count;
    uint32_t *words;
    uint32_t word_count;
    uint32_t base; /* address of the new segment; 0: not known yet */
    site *sites;   /* detours, then those of inserts */
    uint32_t site_count;
    uint32_t detours;
    uint32_t *code; /* of the new segment */
    uint32_t size;  /* words */
    const char *name;
    char *error;
    size_t error_bytes;
};

/* ---- What is asked for ---------------------------------------------------------------------------------------------- */

static int no_memory(const isa_rewrite *r)
{
    return isa_fail(r->error, r->error_bytes, "out of memory");
}

static int ask(isa_rewrite *r, uint32_t kind, uint32_t pc, const uint32_t *words, uint32_t count)
{
    edit *edits = realloc(r->edits, (r->count + 1) * sizeof *edits);
    if (edits)
        r->edits = edits;
    uint32_t *all = realloc(r->words, (r->word_count + count + 1) * sizeof *all);
    if (all)
        r->words = all;
    if (!edits || !all)
        return no_memory(r);
    if (count)
        memcpy(all + r->word_count, words, count * sizeof *words);
    edits[r->count++] = (edit){.kind = kind, .pc = pc, .first = r->word_count, .count = count};
    r->word_count += count;
    return 0;
}

static int no_code(const isa_rewrite *r, uint32_t pc)
{
    return isa_fail(r->error, r->error_bytes, "%s: there is no code at 0x%08x", r->name, pc);
}

int isa_rewrite_replace(isa_rewrite *rewrite, uint32_t pc, uint32_t word)
{
    return pc % 4 || !isa_program_at(rewrite->program, pc) ? no_code(rewrite, pc) : ask(rewrite, REPLACE, pc, &word, 1);
}

int isa_rewrite_insert(isa_rewrite *rewrite, uint32_t pc, const uint32_t *words, uint32_t count)
{
    const isa_instruction *instruction = pc % 4 ? NULL : isa_program_at(rewrite->program, pc);
    if (!instruction)
        return no_code(rewrite, pc);
    if (instruction->flags & ISA_FLAG_RECOVERED)
        return isa_fail(rewrite->error, rewrite->error_bytes,
                        "%s: nothing can be put before the jump at 0x%08x, which belongs to the auipc there",
                        rewrite->name, pc);
    return ask(rewrite, INSERT, pc, words, count);
}

int isa_rewrite_add(isa_rewrite *rewrite, uint32_t pc, uint32_t word)
{
    if (pc % 4 == 0 || !isa_program_at(rewrite->program, pc & ~UINT32_C(3)))
        return no_code(rewrite, pc);
    if (isa_program_at(rewrite->program, pc))
        return isa_fail(rewrite->error, rewrite->error_bytes, "%s: there is an instruction at 0x%08x already",
                        rewrite->name, pc);
    return ask(rewrite, ADD, pc, &word, 1);
}

static int find_room(isa_rewrite *r, uint32_t words);

uint32_t isa_rewrite_next(isa_rewrite *rewrite)
{
    return rewrite->base || !find_room(rewrite, ROOM) ? rewrite->base + 4 * rewrite->size : 0;
}

static int too_far(const isa_rewrite *r, uint32_t pc)
{
    return isa_fail(r->error, r->error_bytes, "%s: code for 0x%08x can only be put at 0x%08x, which is too far away",
                    r->name, pc, r->base);
}

static int grow(isa_rewrite *r, uint32_t words, uint32_t sites)
{
    uint32_t *code = realloc(r->code, (r->size + words) * sizeof *code);
    if (code)
        r->code = code;
    site *all = realloc(r->sites, (r->site_count + sites) * sizeof *all);
    if (all)
        r->sites = all;
    return code && all ? 0 : no_memory(r);
}

int isa_rewrite_detour(isa_rewrite *rewrite, uint32_t pc, const uint32_t *words, uint32_t count, uint32_t own)
{
    const uint32_t at = isa_rewrite_next(rewrite);
    if (pc % 4 || !isa_program_at(rewrite->program, pc))
        return no_code(rewrite, pc);
    if (!at || grow(rewrite, count, 1))
        return -1;
    if (!displace_reaches(pc, at) || rewrite->size + count > ROOM)
        return too_far(rewrite, pc);
    rewrite->sites[rewrite->site_count++] = (site){.pc = pc, .entry = rewrite->size, .displaced = rewrite->size + own};
    rewrite->detours++;
    memcpy(rewrite->code + rewrite->size, words, count * sizeof *words);
    rewrite->size += count;
    return 0;
}

/* ---- Words of the program ------------------------------------------------------------------------------------------- */

/* The bytes of segments are the program's own. */
static void write_word(isa_program *program, uint32_t pc, uint32_t word)
{
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const isa_segment *segment = &program->segments[i];
        if (pc - segment->address < segment->file_bytes)
            memcpy((uint8_t *)segment->data + (pc - segment->address), &word, sizeof word);
    }
    program->instructions[isa_program_index(program, pc)] = isa_decode(word);
}

static void replace_all(const isa_rewrite *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->edits[i].kind == REPLACE)
            write_word(r->program, r->edits[i].pc, r->words[r->edits[i].first]);
}

/* ---- The new segment ------------------------------------------------------------------------------------------------ */

static int by_pc(const void *a, const void *b)
{
    const edit *x = a, *y = b;
    if (x->pc != y->pc)
        return x->pc > y->pc ? 1 : -1;
    return x->first > y->first ? 1 : x->first < y->first ? -1 : 0;
}

/* The first room behind the code; what falls off its end still comes to nothing. */
static int find_room(isa_rewrite *r, uint32_t words)
{
    const isa_program *program = r->program;
    const uint64_t text_end = (uint64_t)program->text_address + program->text_bytes;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const isa_segment *segment = &program->segments[i];
        const uint64_t end = (uint64_t)segment->address + segment->memory_bytes;
        const uint64_t base = (end + 4 + LINE - 1) / LINE * LINE, next = base + 4 * (uint64_t)words;
        const uint64_t limit = i + 1 < program->segment_count ? segment[1].address : UINT64_C(1) << 32;
        if (end < text_end || next > limit)
            continue;
        r->base = (uint32_t)base;
        return 0;
    }
    return isa_fail(r->error, r->error_bytes, "%s: there is no room behind the program for %u words of code", r->name,
                    words);
}

/* The words that are put in there are complete. */
static int end_site(isa_rewrite *r)
{
    if (r->site_count == r->detours)
        return 0;
    site *s = &r->sites[r->site_count - 1];
    s->displaced = r->size;
    const uint32_t count = displace(r->program, s->pc, r->base + 4 * r->size, r->code + r->size);
    r->size += count;
    return count && displace_reaches(s->pc, r->base + 4 * s->entry) ? 0 : too_far(r, s->pc);
}

static int put_inserts(isa_rewrite *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const edit *e = &r->edits[i];
        if (e->kind != INSERT)
            continue;
        if (r->site_count == r->detours || r->sites[r->site_count - 1].pc != e->pc) {
            if (end_site(r))
                return -1;
            r->sites[r->site_count++] = (site){.pc = e->pc, .entry = r->size};
        }
        for (uint32_t k = 0; k < e->count; k++)
            r->code[r->size++] = r->words[e->first + k];
    }
    return end_site(r);
}

static int make_code(isa_rewrite *r)
{
    uint32_t sites = 0;
    for (uint32_t i = 0; i < r->count; i++)
        sites += r->edits[i].kind == INSERT;
    if (!sites)
        return 0;
    const uint32_t most = r->word_count + DISPLACED_WORDS * sites;
    if (grow(r, most, sites))
        return -1;
    if (r->base && r->size + most > ROOM)
        return too_far(r, r->sites->pc);
    return (!r->base && find_room(r, most)) || put_inserts(r);
}

/* ---- The program with it -------------------------------------------------------------------------------------------- */

/* Instructions: words of text up to the new end, then those at odd addresses, which move up. */
static int grow_text(isa_rewrite *r, uint32_t text_bytes)
{
    isa_program *program = r->program;
    const uint32_t before = program->text_bytes / 4, now = text_bytes / 4, odd = program->odd_count;
    isa_instruction *instructions = realloc(program->instructions, (now + odd) * sizeof *instructions);
    if (!instructions)
        return no_memory(r);
    memmove(instructions + now, instructions + before, odd * sizeof *instructions);
    for (uint32_t i = before; i < now; i++)
        instructions[i] = isa_no_instruction;
    program->instructions = instructions;
    program->text_bytes = text_bytes;
    return 0;
}

static int add_origins(isa_rewrite *r)
{
    isa_program *program = r->program;
    isa_origin *origins = realloc(program->origins, (program->origin_count + r->site_count) * sizeof *origins);
    if (!origins)
        return no_memory(r);
    program->origins = origins;
    for (uint32_t i = 0; i < r->site_count; i++) {
        const uint32_t pc = isa_program_origin(program, r->sites[i].pc);
        origins[program->origin_count++] = (isa_origin){.address = r->base + 4 * r->sites[i].entry, .pc = pc};
    }
    return 0;
}

static int add_segment(isa_rewrite *r)
{
    isa_program *program = r->program;
    const uint32_t bytes = 4 * r->size;
    if (r->base + (uint64_t)bytes - program->text_address > ISA_TEXT_MAX_BYTES)
        return too_far(r, program->text_address);
    isa_segment *segments = realloc(program->segments, (program->segment_count + 1) * sizeof *segments);
    if (segments)
        program->segments = segments;
    void **added = realloc(program->added, (program->added_count + 1) * sizeof *added);
    if (added)
        program->added = added;
    if (!segments || !added || grow_text(r, r->base + bytes - program->text_address) || add_origins(r))
        return no_memory(r);
    uint32_t at = program->segment_count++;
    for (; at > 0 && segments[at - 1].address > r->base; at--)
        segments[at] = segments[at - 1];
    segments[at] = (isa_segment){.address = r->base,
                                 .file_bytes = bytes,
                                 .memory_bytes = bytes,
                                 .data = (const uint8_t *)r->code,
                                 .flags = ISA_SEGMENT_EXECUTE | ISA_SEGMENT_READ};
    added[program->added_count++] = r->code;
    isa_instruction *first = &program->instructions[isa_program_index(program, r->base)];
    for (uint32_t i = 0; i < r->size; i++)
        first[i] = isa_decode(r->code[i]);
    r->code = NULL;
    return 0;
}

/* The marks that its section has made on the instruction go with it. */
static void enter_sites(const isa_rewrite *r)
{
    isa_program *program = r->program;
    isa_instruction *first = r->site_count ? &program->instructions[isa_program_index(program, r->base)] : NULL;
    for (uint32_t i = 0; i < r->site_count; i++) {
        const site *s = &r->sites[i];
        first[s->displaced].flags |= isa_program_at(program, s->pc)->flags & ISA_FLAGS_MARKED;
        write_word(program, s->pc, displace_jump(0, s->pc, r->base + 4 * s->entry));
    }
}

static int add_odd(isa_rewrite *r, uint32_t pc, uint32_t word)
{
    isa_program *program = r->program;
    const uint32_t words = program->text_bytes / 4;
    uint32_t *pcs = realloc(program->odd_pcs, (program->odd_count + 1) * sizeof *pcs);
    if (pcs)
        program->odd_pcs = pcs;
    isa_instruction *instructions =
        realloc(program->instructions, (words + program->odd_count + 1) * sizeof *instructions);
    if (instructions)
        program->instructions = instructions;
    if (!pcs || !instructions)
        return no_memory(r);
    uint32_t at = program->odd_count++;
    for (; at > 0 && pcs[at - 1] > pc; at--) {
        pcs[at] = pcs[at - 1];
        instructions[words + at] = instructions[words + at - 1];
    }
    if (at > 0 && pcs[at - 1] == pc)
        return isa_fail(r->error, r->error_bytes, "%s: two instructions are added at 0x%08x", r->name, pc);
    pcs[at] = pc;
    instructions[words + at] = isa_decode(word);
    return 0;
}

static int add_all_odd(isa_rewrite *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->edits[i].kind == ADD && add_odd(r, r->edits[i].pc, r->words[r->edits[i].first]))
            return -1;
    return 0;
}

static int change(isa_rewrite *r)
{
    replace_all(r);
    if (r->count)
        qsort(r->edits, r->count, sizeof *r->edits, by_pc);
    if (make_code(r) || (r->site_count && add_segment(r)))
        return -1;
    enter_sites(r);
    return add_all_odd(r);
}

int isa_program_transform(isa_program *program, const isa_transform *transform, char *error, size_t error_bytes)
{
    isa_rewrite r = {.program = program, .name = transform->name, .error = error, .error_bytes = error_bytes};
    int failed = (!program->reachable && isa_program_analyse(program, error, error_bytes)) ||
                 transform->apply(&r, program, error, error_bytes) || change(&r);
    free(r.edits);
    free(r.words);
    free(r.sites);
    free(r.code);
    return failed ? -1 : isa_program_analyse(program, error, error_bytes);
}
