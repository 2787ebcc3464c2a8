/* SPDX-License-Identifier: MIT */
#include "program_names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shipped_files.h"

#define END ".elf"

/* From the library or program that this code is in: as it is built, and as it is installed. */
static const char *const shipped_in[] = {"programs", "../programs", "../libexec/heddle/programs",
                                         "../../libexec/heddle/programs", NULL};

static int is_name(const char *word)
{
    const size_t length = strlen(word);
    return length && !strchr(word, '/') && (length < strlen(END) || strcmp(word + length - strlen(END), END) != 0);
}

static const char *file_in(arena *memory, const char *folder, const char *name)
{
    struct stat found;
    const char *path = arena_format(memory, "%s/%s" END, folder, name);
    return !stat(path, &found) && S_ISREG(found.st_mode) ? path : NULL;
}

static const char *listed_file(arena *memory, const char *folders, const char *name)
{
    const char *found = NULL;
    for (const char *folder; folders && !found && (folder = netlist_next_folder(memory, &folders));)
        found = file_in(memory, folder, name);
    return found;
}

const char *netlist_program_path(arena *memory, const char *word)
{
    if (!is_name(word))
        return word;
    const char *found = listed_file(memory, getenv(NETLIST_PROGRAMS_VARIABLE), word);
    const char *shipped = found ? NULL : netlist_shipped_folder(memory, shipped_in);
    if (shipped)
        found = file_in(memory, shipped, word);
    return found ? found : word;
}
