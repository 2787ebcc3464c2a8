# SPDX-License-Identifier: MIT
# Sources of the memory pipe, from models/simt_core.
set(SIMT_CORE_MEMORY_SOURCES
  memory/memory.c
  memory/submit.c
  memory/windows.c
  memory/coalescer.c
  memory/pipe.c
  memory/status.c
  memory/address_units.c
  memory/scratchpad.c
  memory/cache.c
  memory/l1.c
  memory/sectors.c
  memory/sectors_fill.c
  memory/sectors_write.c
  memory/read_only_cache.c
  memory/instruction_cache.c
  memory/mshr.c
  memory/atomics.c
  memory/network.c
  memory/refused.c
  memory/contexts.c
  memory/debug_place.c
  memory/traffic.c
  memory/checkpoint.c
  memory/transactional.c)
