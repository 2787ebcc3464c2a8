// SPDX-License-Identifier: MIT
#include "foreign_models.h"

#include <deque>
#include <map>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "hd_message.h"

namespace
{

using sc_core::sc_time;

const sc_time end_after(3, sc_core::SC_NS), answer_after(10, sc_core::SC_NS);

struct storage {
    std::map<uint64_t, unsigned char> bytes;
    void access(tlm::tlm_generic_payload &payload)
    {
        for (unsigned i = 0; i < payload.get_data_length(); i++) {
            unsigned char &byte = bytes[payload.get_address() + i];
            if (payload.is_read())
                payload.get_data_ptr()[i] = byte;
            else if (!payload.get_byte_enable_ptr() || payload.get_byte_enable_ptr()[i])
                byte = payload.get_data_ptr()[i];
        }
    }
};

class target : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>
{
  public:
    tlm::tlm_target_socket<> socket;

    target(sc_core::sc_module_name name, foreign_models &seen, uint32_t style)
        : sc_module(name), socket("socket"), seen(seen), style(style), later(this, &target::on_phase)
    {
        socket.bind(*this);
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_time &delay) override
    {
        if (delay != sc_core::SC_ZERO_TIME)
            seen.violations++; // ours never annotates
        if (phase == tlm::END_RESP) {
            if (&payload != responding)
                seen.violations++;
            end_response();
            return tlm::TLM_COMPLETED;
        }
        if (requesting)
            seen.violations++; // the request before has not been ended
        seen.requests++;
        if (style != TARGET_REFUSES)
            memory.access(payload);
        return accept(payload, phase, delay);
    }

    void b_transport(tlm::tlm_generic_payload &, sc_time &) override
    {
        seen.violations++;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override
    {
        return false;
    }
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload) override
    {
        memory.access(payload);
        return payload.get_data_length();
    }

  private:
    foreign_models &seen;
    const uint32_t style;
    storage memory;
    tlm::tlm_generic_payload *requesting = nullptr, *responding = nullptr;
    std::deque<tlm::tlm_generic_payload *> waiting;
    tlm_utils::peq_with_cb_and_phase<target> later;

    // The status belongs to the response, and the data to the order of the requests.
    void conclude(tlm::tlm_generic_payload &payload)
    {
        payload.set_response_status(style == TARGET_REFUSES ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    }

    tlm::tlm_sync_enum accept(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase, sc_time &delay)
    {
        if (style == TARGET_COMPLETES) {
            conclude(payload);
            delay += answer_after;
            return tlm::TLM_COMPLETED;
        }
        payload.acquire();
        if (style == TARGET_RETURNS_RESPONSE && !responding) {
            conclude(payload);
            responding = &payload;
            phase = tlm::BEGIN_RESP;
            delay += answer_after;
            return tlm::TLM_UPDATED;
        }
        later.notify(payload, tlm::BEGIN_RESP, answer_after);
        if (style == TARGET_RETURNS_END || style == TARGET_RETURNS_RESPONSE) {
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
        requesting = &payload;
        if (style == TARGET_END_THEN_RESPONSE || style == TARGET_ANNOTATES)
            later.notify(payload, tlm::END_REQ, end_after);
        return tlm::TLM_ACCEPTED;
    }

    sc_time annotation() const
    {
        return style == TARGET_ANNOTATES ? sc_time(2, sc_core::SC_NS) : sc_core::SC_ZERO_TIME;
    }

    void on_phase(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase)
    {
        if (phase == tlm::BEGIN_RESP) {
            waiting.push_back(&payload);
            begin_response();
            return;
        }
        tlm::tlm_phase end = tlm::END_REQ;
        sc_time delay = annotation();
        requesting = nullptr;
        socket->nb_transport_bw(payload, end, delay);
    }

    void begin_response()
    {
        if ((responding && style != TARGET_OVERLAPS) || waiting.empty())
            return;
        responding = waiting.front();
        waiting.pop_front();
        if (responding == requesting)
            requesting = nullptr; // BEGIN_RESP stands for END_REQ
        conclude(*responding);
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_time delay = annotation();
        tlm::tlm_sync_enum status = socket->nb_transport_bw(*responding, phase, delay);
        if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
            end_response();
    }

    void end_response()
    {
        if (!responding)
            return;
        responding->release();
        responding = nullptr;
        begin_response();
    }
};

class blocking_target : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<blocking_target> socket;

    blocking_target(sc_core::sc_module_name name, foreign_models &seen) : sc_module(name), socket("socket"), seen(seen)
    {
        socket.register_b_transport(this, &blocking_target::b_transport);
        socket.register_transport_dbg(this, &blocking_target::transport_dbg);
    }

  private:
    foreign_models &seen;
    storage memory;

    void b_transport(tlm::tlm_generic_payload &payload, sc_time &delay)
    {
        seen.requests++;
        memory.access(payload);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += answer_after;
    }
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload)
    {
        memory.access(payload);
        return payload.get_data_length();
    }
};

struct target_models : foreign_models {
    const uint32_t style;
    explicit target_models(uint32_t style) : style(style)
    {
    }
    sc_core::sc_object *make(const char *name) override
    {
        if (style == TARGET_BLOCKING) {
            auto made = std::make_unique<blocking_target>(name, *this);
            auto *socket = &made->socket;
            module = std::move(made);
            return socket;
        }
        auto made = std::make_unique<target>(name, *this, style);
        auto *socket = &made->socket;
        module = std::move(made);
        return socket;
    }
};

const hd_port ports[] = {{"port", HD_PORT_TARGET, 1, 1, 1, 4, "requests"}};
const hd_message_use messages[] = {{HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "port"},
                                   {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "port"},
                                   {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "port"}};

} // namespace

const hd_block_class foreign_target_class = foreign_class("target", "a TLM-2.0 target", ports, messages);

foreign_models *foreign_target_new(uint32_t style)
{
    return new target_models(style);
}

uint32_t foreign_target_violations(const foreign_models *models)
{
    return models->violations;
}

uint32_t foreign_target_requests(const foreign_models *models)
{
    return models->requests;
}

hd_block_class foreign_class(const char *type, const char *doc, const hd_port *port, const hd_message_use *messages)
{
    hd_block_class made = {};
    made.abi_version = HD_ABI_VERSION;
    made.struct_bytes = sizeof made;
    made.kind = "foreign";
    made.type = type;
    made.doc = doc;
    made.source = "";
    made.port_count = 1;
    made.message_count = 3;
    made.ports = port;
    made.messages = messages;
    return made;
}

void foreign_free(foreign_models *models)
{
    delete models;
}

void *foreign_socket(void *models, const char *instance, const char *, uint32_t)
{
    return static_cast<foreign_models *>(models)->make(instance);
}

void foreign_release(void *models)
{
    static_cast<foreign_models *>(models)->module.reset();
}
