/* SPDX-License-Identifier: MIT */
/* Firmware as a linker left it: an ELF file for 64-bit RISC-V, not trusted. Errors are one line each. */
#ifndef HD_HOST_FIRMWARE_H
#define HD_HOST_FIRMWARE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_firmware_segment {
    uint64_t address;
    uint64_t file_bytes;
    uint64_t memory_bytes; /* >= file_bytes; the rest is zero */
    const uint8_t *data;   /* in the file */
} hd_firmware_segment;

typedef struct hd_firmware hd_firmware;

/* The bytes are borrowed until close. NULL, and the line in error: not an ELF file, damaged, or for another machine. */
hd_firmware *hd_firmware_open(const uint8_t *bytes, size_t size, char *error, size_t error_bytes);
void hd_firmware_close(hd_firmware *firmware); /* NULL is allowed */

uint64_t hd_firmware_entry(const hd_firmware *firmware);
/* Where harts other than the first begin: at its symbol _start_hart, or without one where the first does. */
uint64_t hd_firmware_entry_of_others(const hd_firmware *firmware);
/* Segments that occupy memory, in file order. */
const hd_firmware_segment *hd_firmware_segments(const hd_firmware *firmware, uint32_t *count);

/* Address of the runtime_heap of firmware that is linked with the runtime of this version (firmware/runtime/rv64); 0: it is
 * not. */
uint64_t hd_firmware_heap(const hd_firmware *firmware);

/* "0x8000040123 (main+0x20)": an address with the function that it is in, if that is known. */
void hd_firmware_place(const hd_firmware *firmware, uint64_t pc, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
