/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "library.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input_file.h"
#include "text.h"

static int read_at(int file, void *bytes, size_t count, uint64_t offset)
{
    return pread(file, bytes, count, (off_t)offset) == (ssize_t)count;
}

/* Bytes that the loader maps, from the beginning of the file; 0: it looks at the headers and refuses them itself. */
static uint64_t mapped_bytes(int file)
{
    Elf64_Ehdr header;
    uint64_t end = 0;
    if (!read_at(file, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
        return 0;
    for (uint32_t i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        if (!read_at(file, &segment, sizeof segment, header.e_phoff + i * sizeof segment))
            return UINT64_MAX;
        if (segment.p_type != PT_LOAD)
            continue;
        if (segment.p_filesz > UINT64_MAX - segment.p_offset)
            return UINT64_MAX;
        if (segment.p_offset + segment.p_filesz > end)
            end = segment.p_offset + segment.p_filesz;
    }
    return end;
}

static int is_cut(const char *path)
{
    struct stat standing;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return 0;
    const int cut = !fstat(file, &standing) && S_ISREG(standing.st_mode) && standing.st_size >= 0 &&
                    mapped_bytes(file) > (uint64_t)standing.st_size;
    close(file);
    return cut;
}

/* The loader's words, without the path in front. */
static char *loader_reason(const char *path)
{
    const char *text = dlerror();
    const size_t bytes = strlen(path);
    if (!text)
        text = "it cannot be loaded";
    if (strncmp(text, path, bytes) == 0 && strncmp(text + bytes, ": ", 2) == 0)
        text += bytes + 2;
    return hd_text_format("%s", text);
}

/* A file without a name, with the bytes of that one; -1: errno says why. */
static int copy_of(const char *path)
{
    const int from = open(path, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : memfd_create("host.so", MFD_CLOEXEC);
    ssize_t bytes = 0;
    char buffer[65536];
    while (to >= 0 && (bytes = read(from, buffer, sizeof buffer)) > 0)
        if (write(to, buffer, (size_t)bytes) != bytes)
            bytes = -1;
    const int reason = errno;
    if (from >= 0)
        close(from);
    if (to >= 0 && bytes < 0)
        close(to);
    errno = reason;
    return bytes < 0 ? -1 : to;
}

/* The loader knows files by their inodes and names: a copy is another one to it, for as long as nobody else has its name. */
void *hd_library_open_again(const char *path, int *file, char **reason)
{
    const int copy = copy_of(path);
    if (copy < 0) {
        *reason = hd_text_format("%s", strerror(errno));
        return NULL;
    }
    char *name = hd_text_format("/proc/self/fd/%d", copy);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        *reason = loader_reason(name);
    free(name);
    if (!library)
        close(copy);
    *file = copy;
    return library;
}

void *hd_library_open(const char *path, char **reason)
{
    input_file_note(path);
    if (is_cut(path)) {
        *reason = hd_text_format("the file has been cut short: it ends before its segments do");
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        *reason = loader_reason(path);
    return library;
}
