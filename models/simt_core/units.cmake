# SPDX-License-Identifier: MIT
# Units that the core is put together from, chosen by parameter.
file(GLOB SIMT_CORE_SCHEDULER_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/scheduler/*.c)
set(SIMT_CORE_UNIT_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/reconvergence/mimd.c
  ${CMAKE_CURRENT_LIST_DIR}/reconvergence/stack.c
  ${SIMT_CORE_SCHEDULER_SOURCES})
