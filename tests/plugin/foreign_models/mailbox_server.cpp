// SPDX-License-Identifier: MIT
#include "mailbox_server.h"

static constexpr unsigned int chunk_words = 50; // no multiple of a line

mailbox_server::mailbox_server(sc_core::sc_module_name name, std::uint64_t mailbox, sc_core::sc_time period,
                               bool is_untimed)
    : sc_module(name), socket("socket"), mailbox(mailbox), period(period), is_untimed(is_untimed)
{
    SC_THREAD(run);
}

void mailbox_server::run()
{
    for (;;) {
        sc_core::wait(period);
        if (read(mailbox) == 1)
            serve();
    }
}

void mailbox_server::serve()
{
    std::uint64_t source = read(mailbox + 4), left = read(mailbox + 8), result = read(mailbox + 12);
    std::uint32_t words[chunk_words], sum = 0;
    while (left) {
        unsigned int count = left < chunk_words ? static_cast<unsigned int>(left) : chunk_words;
        access(tlm::TLM_READ_COMMAND, source, words, count);
        for (unsigned int i = 0; i < count; i++)
            sum += words[i] *= 3;
        access(tlm::TLM_WRITE_COMMAND, result, words, count);
        source += 4 * count;
        result += 4 * count;
        left -= count;
    }
    write(mailbox + 16, sum);
    write(mailbox, 2);
}

void mailbox_server::access(tlm::tlm_command command, std::uint64_t address, std::uint32_t *words, unsigned int count)
{
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char *>(words));
    payload.set_data_length(4 * count);
    payload.set_streaming_width(4 * count);
    if (is_untimed) {
        if (socket->transport_dbg(payload) != 4 * count)
            SC_REPORT_ERROR("mailbox_server", "transport_dbg does not reach the memory");
        return;
    }
    socket->b_transport(payload, delay);
    if (payload.is_response_error())
        SC_REPORT_ERROR("mailbox_server", payload.get_response_string().c_str());
    sc_core::wait(delay);
}

std::uint32_t mailbox_server::read(std::uint64_t address)
{
    std::uint32_t word = 0;
    access(tlm::TLM_READ_COMMAND, address, &word, 1);
    return word;
}

void mailbox_server::write(std::uint64_t address, std::uint32_t word)
{
    access(tlm::TLM_WRITE_COMMAND, address, &word, 1);
}
