/* SPDX-License-Identifier: MIT */
/* Firmware files: an input is an ELF file. */
#include "firmware.h"

#include "fuzz.h"

#define PLACES 16u

static void require_line(const char *text)
{
    fuzz_require(*text, "it is empty");
    for (const char *at = text; *at; at++)
        fuzz_require(*at >= ' ' && *at < 0x7F, "%s", text);
}

static void require_segments(const hd_firmware *firmware, fuzz_input input)
{
    uint32_t count;
    const hd_firmware_segment *segments = hd_firmware_segments(firmware, &count);
    fuzz_require(count, "taken without any segment");
    for (uint32_t i = 0; i < count; i++) {
        const size_t offset = (size_t)(segments[i].data - input.bytes);
        fuzz_require(offset <= input.left && segments[i].file_bytes <= input.left - offset, "segment %u", i);
        fuzz_require(segments[i].memory_bytes >= segments[i].file_bytes, "segment %u", i);
        fuzz_require(segments[i].address + segments[i].memory_bytes >= segments[i].address, "segment %u", i);
    }
}

void fuzz_one(fuzz_input input)
{
    char text[256] = "";
    hd_firmware *firmware = hd_firmware_open(input.bytes, input.left, text, sizeof text);
    if (!firmware) {
        require_line(text);
        return;
    }
    require_segments(firmware, input);
    fuzz_require(hd_firmware_entry_of_others(firmware) % 2 == 0, "other harts begin at an odd address");
    for (uint32_t i = 0; i < PLACES; i++) {
        hd_firmware_place(firmware, hd_firmware_entry(firmware) + 4 * i, text, sizeof text);
        require_line(text);
    }
    hd_firmware_close(firmware);
}
