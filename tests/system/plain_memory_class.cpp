// SPDX-License-Identifier: MIT
#include "plain_memory_class.h"

#include <cstring>
#include <memory>
#include <vector>

#include "hd_message.h"
#include "plain_memory.h"

static const hd_port ports[] = {{"access", HD_PORT_TARGET, 1, 1, 1, 8, "reads and writes"}};

static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"},
};

static hd_block_class describe()
{
    hd_block_class type = {};
    type.abi_version = HD_ABI_VERSION;
    type.struct_bytes = sizeof type;
    type.kind = "dram";
    type.type = "plain";
    type.doc = "a TLM-2.0 memory from elsewhere";
    type.source = "";
    type.port_count = 1;
    type.message_count = 3;
    type.ports = ports;
    type.messages = messages;
    return type;
}

const hd_block_class plain_memory_class = describe();

struct plain_memories {
    std::vector<std::unique_ptr<plain_memory>> all;
    uint64_t reads = 0, writes = 0;
};

plain_memories *plain_memories_new(void)
{
    return new plain_memories;
}

void plain_memories_free(plain_memories *all)
{
    delete all;
}

void *plain_memories_socket(void *context, const char *instance, const char *port, uint32_t element)
{
    auto *memories = static_cast<plain_memories *>(context);
    if (std::strcmp(port, "access") || element)
        return nullptr;
    memories->all.push_back(std::make_unique<plain_memory>(instance, sc_core::sc_time(100, sc_core::SC_NS)));
    return static_cast<sc_core::sc_object *>(&memories->all.back()->socket);
}

void plain_memories_release(void *context)
{
    auto *memories = static_cast<plain_memories *>(context);
    for (const auto &memory : memories->all) {
        memories->reads += memory->reads;
        memories->writes += memory->writes;
    }
    memories->all.clear();
}

uint64_t plain_memories_reads(const plain_memories *memories)
{
    return memories->reads;
}

uint64_t plain_memories_writes(const plain_memories *memories)
{
    return memories->writes;
}
