# SPDX-License-Identifier: MIT
# The compiler for OpenCL C: programs of LLVM, and its built-in library. Where one of them is missing, kernels in OpenCL C cannot be
# compiled, and all else is built and tested.
set(HEDDLE_LLVM_VERSION 16 CACHE STRING "Version of the LLVM that compiles OpenCL C")

find_program(HEDDLE_CLANG clang-${HEDDLE_LLVM_VERSION})
find_program(HEDDLE_LLVM_LINK llvm-link-${HEDDLE_LLVM_VERSION})
find_program(HEDDLE_LLVM_DIS llvm-dis-${HEDDLE_LLVM_VERSION})
find_program(HEDDLE_OPT opt-${HEDDLE_LLVM_VERSION})
find_program(HEDDLE_LLC llc-${HEDDLE_LLVM_VERSION})
# Debian has it up to version 15, whose programs later ones read.
find_program(HEDDLE_LLVM_SPIRV llvm-spirv-15)
if(NOT HEDDLE_LLVM_SPIRV)
  set(HEDDLE_LLVM_SPIRV "")
endif()
find_file(HEDDLE_LIBCLC nvptx--.bc PATHS /usr/lib/clc PATH_SUFFIXES clc)
# The toolchain has no multilib of rv32imaf; that of rv32imf has the same registers and calls.
find_file(HEDDLE_OPENCL_LIBC libc.a PATHS /usr/lib/picolibc/riscv64-unknown-elf/lib/rv32imf/ilp32f NO_DEFAULT_PATH)
set(HEDDLE_OPENCL OFF)
if(HEDDLE_APPS AND HEDDLE_CLANG AND HEDDLE_LLVM_LINK AND HEDDLE_LLVM_DIS AND HEDDLE_OPT AND HEDDLE_LLC AND HEDDLE_LIBCLC
    AND HEDDLE_OPENCL_LIBC)
  set(HEDDLE_OPENCL ON)
else()
  message(STATUS "left out: kernels in OpenCL C cannot be compiled; Debian packages: clang-${HEDDLE_LLVM_VERSION}, "
    "llvm-${HEDDLE_LLVM_VERSION}, libclc-${HEDDLE_LLVM_VERSION}")
endif()

# heddle_kernel_library(VERSION VARIABLE): what code of this version of LLVM calls (firmware/opencl).
function(heddle_kernel_library version variable)
  set(${variable} libkernel.a PARENT_SCOPE)
  if(version GREATER_EQUAL 17)
    set(${variable} libkernel_17.a PARENT_SCOPE)
  endif()
endfunction()

if(HEDDLE_OPENCL)
  heddle_kernel_library(${HEDDLE_LLVM_VERSION} HEDDLE_KERNEL_LIBRARY)
  execute_process(COMMAND ${HEDDLE_CLANG} -dumpversion OUTPUT_VARIABLE HEDDLE_LLVM_FULL_VERSION
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "gcc$" "ld" HEDDLE_RISCV_LD ${HEDDLE_RISCV_GCC})
  execute_process(COMMAND ${HEDDLE_RISCV_GCC} -march=rv32imf -mabi=ilp32f -print-libgcc-file-name
    OUTPUT_VARIABLE HEDDLE_OPENCL_LIBGCC OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
