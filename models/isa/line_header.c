/* SPDX-License-Identifier: MIT */
#include "line_table.h"

#include <stdlib.h>
#include <string.h>

/* DWARF 5, 7.5.6 and 7.22 */
enum { FORM_DATA2 = 0x05, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK, FORM_DATA1 = 0x0B };
enum { FORM_STRP = 0x0E, FORM_UDATA, FORM_DATA16 = 0x1E, FORM_LINE_STRP };
enum { CONTENT_PATH = 1, CONTENT_DIRECTORY };

#define FORMATS_MAX 16u
#define ENTRIES_MAX 4096u /* directories, files; what has more is taken for damaged */
#define PATH_BYTES_MAX 4096u

/* A directory or a file. */
typedef struct entry {
    const char *path;
    uint64_t directory;
} entry;

typedef struct entry_list {
    entry *entries;
    uint32_t count;
} entry_list;

static const char *text_at(line_reader section, uint64_t offset)
{
    read_part(&section, offset);
    return read_text(&section);
}

static entry *add_entry(entry_list *list)
{
    entry *entries = list->count < ENTRIES_MAX ? realloc(list->entries, (list->count + 1) * sizeof *entries) : NULL;
    if (!entries)
        return NULL;
    list->entries = entries;
    entries[list->count] = (entry){.path = ""};
    return &entries[list->count++];
}

static void read_form(line_reader *reader, uint64_t form, const line_sections *sections, const char **text,
                      uint64_t *number)
{
    switch (form) {
    case FORM_STRING: *text = read_text(reader); break;
    case FORM_STRP: *text = text_at(sections->strings, read_number(reader, 4)); break;
    case FORM_LINE_STRP: *text = text_at(sections->line_strings, read_number(reader, 4)); break;
    case FORM_UDATA: *number = read_unsigned(reader); break;
    case FORM_DATA1: *number = read_number(reader, 1); break;
    case FORM_DATA2: *number = read_number(reader, 2); break;
    case FORM_DATA4: *number = read_number(reader, 4); break;
    case FORM_DATA8: *number = read_number(reader, 8); break;
    case FORM_DATA16: read_part(reader, 16); break;
    case FORM_BLOCK: read_part(reader, read_unsigned(reader)); break;
    default: reader->failed = 1;
    }
}

/* A list of DWARF 5, which says itself what its entries are made of. */
static void read_described_list(entry_list *list, line_reader *reader, const line_sections *sections)
{
    uint64_t content[FORMATS_MAX], form[FORMATS_MAX];
    uint64_t formats = read_number(reader, 1);
    reader->failed |= formats == 0 || formats > FORMATS_MAX;
    for (uint64_t i = 0; i < formats && !reader->failed; i++) {
        content[i] = read_unsigned(reader);
        form[i] = read_unsigned(reader);
    }
    uint64_t count = read_unsigned(reader);
    for (uint64_t i = 0; i < count && !reader->failed; i++) {
        entry *added = add_entry(list);
        for (uint64_t k = 0; added && k < formats; k++) {
            const char *text = "";
            uint64_t number = 0;
            read_form(reader, form[k], sections, &text, &number);
            if (content[k] == CONTENT_PATH)
                added->path = text;
            else if (content[k] == CONTENT_DIRECTORY)
                added->directory = number;
        }
        reader->failed |= !added;
    }
}

/* Lists of DWARF 2 to 4 end with an empty text. Directory 0, that of the compilation, is not in them. */
static void read_old_lists(entry_list *directories, entry_list *files, line_reader *reader)
{
    const char *path;
    reader->failed |= !add_entry(directories);
    while (!reader->failed && *(path = read_text(reader))) {
        entry *added = add_entry(directories);
        reader->failed |= !added;
        if (added)
            added->path = path;
    }
    while (!reader->failed && *(path = read_text(reader))) {
        entry *added = add_entry(files);
        uint64_t directory = read_unsigned(reader);
        read_unsigned(reader); /* time */
        read_unsigned(reader); /* length */
        reader->failed |= !added;
        if (added)
            *added = (entry){.path = path, .directory = directory};
    }
}

static char *join(const char *directory, const char *name)
{
    while (!strncmp(directory, "./", 2))
        directory += 2;
    size_t length = *name == '/' || !strcmp(directory, ".") ? 0 : strlen(directory);
    size_t bytes = length + strlen(name) + 2;
    char *path = bytes <= PATH_BYTES_MAX && elf_is_line(directory) && elf_is_line(name) ? malloc(bytes) : NULL;
    if (!path)
        return NULL;
    memcpy(path, directory, length);
    if (length)
        path[length++] = '/';
    strcpy(path + length, name);
    return path;
}

/* Index of a path among the program's source files, added if it is new; UINT32_MAX: out of memory, or of room. */
static uint32_t source_file(isa_program *program, char *path)
{
    char **files;
    for (uint32_t i = 0; path && i < program->source_file_count; i++) {
        if (strcmp(program->source_files[i], path))
            continue;
        free(path);
        return i;
    }
    files = path && program->source_file_count < ENTRIES_MAX
                ? realloc(program->source_files, (program->source_file_count + 1) * sizeof *files)
                : NULL;
    if (!files) {
        free(path);
        return UINT32_MAX;
    }
    program->source_files = files;
    files[program->source_file_count] = path;
    return program->source_file_count++;
}

static int add_files(line_unit *unit, const entry_list *directories, const entry_list *files, isa_program *program)
{
    unit->files = malloc((files->count + (size_t)1) * sizeof *unit->files);
    if (!unit->files)
        return -1;
    for (; unit->file_count < files->count; unit->file_count++) {
        const entry *file = &files->entries[unit->file_count];
        const char *directory = file->directory < directories->count ? directories->entries[file->directory].path : "";
        uint32_t index = source_file(program, join(directory, file->path));
        if (index == UINT32_MAX)
            return -1;
        unit->files[unit->file_count] = index;
    }
    return 0;
}

static void read_fixed_part(line_unit *unit, line_reader *header)
{
    unit->instruction_bytes = (uint32_t)read_number(header, 1);
    if (unit->version >= 4)
        read_number(header, 1); /* operations per instruction: of VLIW */
    read_number(header, 1);     /* is_stmt: all rows are wanted */
    unit->line_base = (int8_t)read_number(header, 1);
    unit->line_range = (uint32_t)read_number(header, 1);
    unit->opcode_base = (uint32_t)read_number(header, 1);
    header->failed |= !unit->line_range || !unit->opcode_base;
    if (!header->failed)
        unit->operand_counts = read_part(header, unit->opcode_base - 1).at;
}

int read_line_header(line_unit *unit, line_reader reader, const line_sections *sections, isa_program *program)
{
    entry_list directories = {0}, files = {0};
    *unit = (line_unit){.version = (uint32_t)read_number(&reader, 2)};
    if (unit->version < 2 || unit->version > 5)
        return -1;
    if (unit->version == 5)
        read_number(&reader, 2); /* sizes of an address, which each use states again, and of a segment selector */
    line_reader header = read_part(&reader, read_number(&reader, 4));
    unit->first_file = unit->version == 5 ? 0 : 1;
    unit->program = reader;
    read_fixed_part(unit, &header);
    if (unit->version == 5) {
        read_described_list(&directories, &header, sections);
        read_described_list(&files, &header, sections);
    } else {
        read_old_lists(&directories, &files, &header);
    }
    int failed = reader.failed || header.failed || add_files(unit, &directories, &files, program);
    free(directories.entries);
    free(files.entries);
    return failed ? -1 : 0;
}
