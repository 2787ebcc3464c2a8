// SPDX-License-Identifier: MIT
#include "payload.h"

#include <cstdio>

#include "hd_block.h"
#include "text.h"
#include "text_value.h"

namespace heddle
{

tlm::tlm_extension_base *packet_extension::clone() const
{
    return new packet_extension;
}

void packet_extension::copy_from(const tlm::tlm_extension_base &)
{
}

payload_pool::~payload_pool()
{
    for (tlm::tlm_generic_payload *payload : all) {
        delete[] payload->get_data_ptr();
        delete payload; // frees its extensions
    }
}

tlm::tlm_generic_payload *payload_pool::take()
{
    if (unused.empty()) {
        auto *payload = new tlm::tlm_generic_payload(this);
        payload->set_extension(new packet_extension);
        payload->set_data_ptr(new unsigned char[2 * HD_PACKET_BODY_MAX]);
        all.push_back(payload);
        unused.push_back(payload);
    }
    tlm::tlm_generic_payload *payload = unused.back();
    unused.pop_back();
    payload->acquire();
    auto *extension = payload->get_extension<packet_extension>();
    extension->completed = extension->is_our_own = false;
    payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload->set_dmi_allowed(false);
    payload->set_byte_enable_ptr(nullptr);
    payload->set_byte_enable_length(0);
    return payload;
}

void payload_pool::free(tlm::tlm_generic_payload *payload)
{
    unused.push_back(payload);
}

std::string describe_access(const tlm::tlm_generic_payload &payload)
{
    char text[96];
    snprintf(text, sizeof text, "a %s of %u bytes at 0x%llx", payload.is_write() ? "write" : "read",
             payload.get_data_length(), payload.get_address());
    return text;
}

std::string describe_real_time(uint64_t picoseconds)
{
    char text[48];
    unsigned_to_short_text(picoseconds, HD_UNIT_SECONDS, text, sizeof text);
    return text;
}

std::string describe_time(uint64_t picoseconds)
{
    char text[HD_TEXT_TIME_BYTES];
    return hd_text_time(text, picoseconds);
}

} // namespace heddle
