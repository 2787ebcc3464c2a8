/* SPDX-License-Identifier: MIT */
#include "elf_file.h"

#include <stdlib.h>
#include <string.h>

static int in_text(const isa_program *program, uint32_t address)
{
    return address - program->text_address < program->text_bytes;
}

static int is_wanted(const Elf32_Sym *symbol, const char *name)
{
    uint32_t type = ELF32_ST_TYPE(symbol->st_info);
    if (!*name || symbol->st_shndx == SHN_UNDEF)
        return 0;
    return type == STT_FUNC || type == STT_OBJECT ||
           (type == STT_NOTYPE && ELF32_ST_BIND(symbol->st_info) != STB_LOCAL);
}

#define LABEL 2u /* is_function of a symbol without a type, until it is decided */

static int by_address(const void *a, const void *b)
{
    const isa_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address > y->address ? 1 : -1;
    if (x->is_function != y->is_function)
        return x->is_function == 1 || y->is_function == 0 ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Assembly code has labels without a type: global ones in the code count as functions, unless a function is there. */
static void decide_labels(isa_program *program)
{
    isa_symbol *symbols = program->symbols;
    for (uint32_t i = 0; i < program->symbol_count; i++) {
        int shadowed = i && symbols[i - 1].address == symbols[i].address && symbols[i - 1].is_function;
        if (symbols[i].is_function == LABEL)
            symbols[i].is_function = !shadowed && in_text(program, symbols[i].address);
    }
}

static uint32_t function_rank(const Elf32_Sym *symbol)
{
    uint32_t type = ELF32_ST_TYPE(symbol->st_info);
    return type == STT_FUNC ? 1 : type == STT_NOTYPE ? LABEL : 0;
}

int isa_load_symbols(isa_program *program, const elf_file *file)
{
    uint32_t count = elf_symbol_count(file);
    program->symbols = calloc(count ? count : 1, sizeof *program->symbols);
    if (!program->symbols)
        return elf_fail(file, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        Elf32_Sym symbol;
        const char *name;
        if (elf_symbol(file, i, &symbol, &name))
            return -1;
        if (!is_wanted(&symbol, name))
            continue;
        if (!elf_is_line(name))
            return elf_fail(file, "damaged: the name of symbol %u has control characters", i);
        program->symbols[program->symbol_count++] = (isa_symbol){
            .name = name,
            .address = symbol.st_value,
            .bytes = symbol.st_size,
            .is_function = function_rank(&symbol),
        };
    }
    qsort(program->symbols, program->symbol_count, sizeof *program->symbols, by_address);
    decide_labels(program);
    return 0;
}

int isa_program_symbol(const isa_program *program, const char *name, uint32_t *address)
{
    for (uint32_t i = 0; i < program->symbol_count; i++) {
        if (strcmp(program->symbols[i].name, name) == 0) {
            *address = program->symbols[i].address;
            return 1;
        }
    }
    return 0;
}

const char *isa_program_symbol_at(const isa_program *program, uint32_t at, uint32_t *offset)
{
    uint32_t low = 0, high = program->symbol_count;
    if (!in_text(program, at))
        return NULL;
    const uint32_t pc = isa_program_origin(program, at);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (program->symbols[middle].address <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    const isa_symbol *found = NULL;
    while (low-- > 0) {
        const isa_symbol *symbol = &program->symbols[low];
        if (!in_text(program, symbol->address) || (found && symbol->address != found->address))
            break;
        if (symbol->is_function)
            found = symbol;
    }
    if (!found)
        return NULL;
    *offset = pc - found->address;
    return found->name;
}
