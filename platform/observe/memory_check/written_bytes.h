/* SPDX-License-Identifier: MIT */
/* Which bytes of the 32-bit address space have been written: a bit each, in pages made when they are. */
#ifndef MEMORY_CHECK_WRITTEN_BYTES_H
#define MEMORY_CHECK_WRITTEN_BYTES_H

#include <stdint.h>

#define WRITTEN_PAGE_BYTES 4096u
#define WRITTEN_PAGES (1u << 20)

typedef struct written_bytes {
    uint64_t *pages[WRITTEN_PAGES];
} written_bytes;

/* `mask`: of the bytes from `address` on, up to 8 of them, in one aligned 8 bytes. */
void written_set(written_bytes *written, uint32_t address, uint32_t mask);
/* Are all bytes of it? */
uint32_t written_all(const written_bytes *written, uint32_t address, uint32_t mask);
void written_set_range(written_bytes *written, uint64_t address, uint64_t bytes);
void written_clear_range(written_bytes *written, uint64_t address, uint64_t bytes);
void written_free(written_bytes *written);

#endif
