# SPDX-License-Identifier: MIT
# heddle_app(NAME [FOLDER folder]): the app in NAME or that folder, as `heddle run` finds it: build/apps/NAME with
# kernel.elf, kernel.movable.elf, host.so, firmware.elf and app.yaml. Installed with Heddle, where the variables below name the installed files.

# Besides the options that every kernel needs (HEDDLE_KERNEL_OPTIONS), which docs/isa.md explains. Without unwind tables, which no
# kernel has, the compiler tells debuggers of stack frames in .debug_frame.
set(HEDDLE_KERNEL_FLAGS -std=c17 -O2 -g -fno-asynchronous-unwind-tables -Wall -Wextra -Werror
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}=.)

# Host programs as firmware: RV64IMAC with the C library picolibc, linked with the runtime that a HEDDLE_FIRMWARE_LIBRARY is. They may
# use control registers and fence.i; to the linker that is not said, since the toolchain has its libraries under the name without.
set(HEDDLE_FIRMWARE_TARGET --specs=picolibc.specs -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany)
set(HEDDLE_FIRMWARE_LINK_TARGET --specs=picolibc.specs -march=rv64imac -mabi=lp64 -mcmodel=medany)
set(HEDDLE_FIRMWARE_FLAGS -std=gnu17 -O2 -g -Wall -Wextra -ffunction-sections -fdata-sections
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}=.)
set(HEDDLE_FIRMWARE_LINK -nostartfiles -static -Wl,--gc-sections -Wl,--build-id=none -Wl,--fatal-warnings)

if(NOT DEFINED HEDDLE_APP_CHECK)
  set(HEDDLE_KERNEL_OPTIONS ${PROJECT_SOURCE_DIR}/firmware/runtime/kernel.options)
  set(HEDDLE_KERNEL_CLANG_OPTIONS ${PROJECT_SOURCE_DIR}/firmware/runtime/kernel_clang.options)
  set(HEDDLE_KERNEL_ASSEMBLER ${PROJECT_SOURCE_DIR}/firmware/runtime/assembler)
  set(HEDDLE_KERNEL_SCRIPT ${PROJECT_SOURCE_DIR}/firmware/runtime/kernel.ld)
  set(HEDDLE_KERNEL_CHECK ${PROJECT_SOURCE_DIR}/firmware/runtime/check_kernel.sh)
  set(HEDDLE_APP_CHECK ${PROJECT_SOURCE_DIR}/firmware/apps/check_app.sh)
  set(HEDDLE_FIRMWARE_SCRIPT ${PROJECT_SOURCE_DIR}/firmware/runtime/rv64/firmware.ld)
  set(HEDDLE_FIRMWARE_START ${PROJECT_SOURCE_DIR}/firmware/runtime/rv64/start.S)
  set(HEDDLE_FIRMWARE_LIBRARY ${CMAKE_BINARY_DIR}/lib/libheddle_firmware.a)
  set(HEDDLE_FIRMWARE_INCLUDES ${PROJECT_SOURCE_DIR}/firmware/include ${PROJECT_SOURCE_DIR}/firmware/apps)
endif()

# The toolchain has no multilib of rv32imaf; that of rv32imf has the same registers and calls.
execute_process(
  COMMAND ${HEDDLE_RISCV_GCC} -march=rv32imf -mabi=ilp32f -print-libgcc-file-name
  OUTPUT_VARIABLE HEDDLE_KERNEL_LIBGCC OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# What nobody reads of the debug information of a kernel program beside others: all but lines.
set(HEDDLE_KERNEL_UNREAD .debug_info .debug_abbrev .debug_loclists .debug_rnglists .debug_aranges .debug_str .debug_frame
  .debug_str_offsets .debug_addr)
string(REGEX REPLACE "gcc$" "objcopy" HEDDLE_RISCV_OBJCOPY ${HEDDLE_RISCV_GCC})
list(TRANSFORM HEDDLE_KERNEL_UNREAD PREPEND --remove-section= OUTPUT_VARIABLE HEDDLE_KERNEL_UNREAD_FLAGS)

# The words that compile a kernel of the folder, by `compiler:` of its app.yaml.
function(heddle_kernel_compiler folder variable)
  set(words ${HEDDLE_RISCV_GCC} -B ${HEDDLE_KERNEL_ASSEMBLER}/ @${HEDDLE_KERNEL_OPTIONS})
  set(chosen "")
  if(EXISTS ${folder}/app.yaml)
    file(STRINGS ${folder}/app.yaml chosen REGEX "^compiler: *clang")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/app.yaml)
  endif()
  if(chosen)
    find_program(HEDDLE_CLANG NAMES clang-16 clang)
    if(NOT HEDDLE_CLANG)
      message(FATAL_ERROR "${folder}/app.yaml: compiler: clang not found; Debian package: clang-16")
    endif()
    set(words ${HEDDLE_CLANG} @${HEDDLE_KERNEL_CLANG_OPTIONS})
  endif()
  set(${variable} ${words} PARENT_SCOPE)
endfunction()

# heddle_kernel(NAME OUTPUT SOURCE): one kernel program, checked; and OUTPUT with .movable.elf, the same for a machine that moves it
# beside others.
function(heddle_kernel name output source)
  cmake_path(GET source PARENT_PATH folder)
  heddle_kernel_compiler(${folder} compiler)
  set(includes ${HEDDLE_FIRMWARE_INCLUDES})
  list(TRANSFORM includes PREPEND -I)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  set(unchecked ${CMAKE_CURRENT_BINARY_DIR}/${name}.elf)
  string(REGEX REPLACE "\\.elf$" ".movable.elf" movable ${output})
  set(link ${HEDDLE_RISCV_GCC} @${HEDDLE_KERNEL_OPTIONS} -nostdlib -static -Wl,-T,${HEDDLE_KERNEL_SCRIPT}
    -Wl,-z,max-page-size=128 -Wl,--build-id=none -Wl,--fatal-warnings ${object} ${HEDDLE_KERNEL_LIBGCC} -o)
  add_custom_command(
    OUTPUT ${output} ${movable}
    COMMAND ${compiler} ${HEDDLE_KERNEL_FLAGS} ${includes}
      -MD -MT ${output} -MF ${object}.d -c ${source} -o ${object}
    COMMAND ${link} ${unchecked}
    COMMAND ${HEDDLE_KERNEL_CHECK} ${unchecked}
    COMMAND ${link} ${movable} -Wl,--emit-relocs
    COMMAND ${HEDDLE_RISCV_OBJCOPY} ${HEDDLE_KERNEL_UNREAD_FLAGS} ${movable}
    COMMAND ${CMAKE_COMMAND} -E rename ${unchecked} ${output}
    DEPENDS ${source} ${HEDDLE_KERNEL_OPTIONS} ${HEDDLE_KERNEL_ASSEMBLER}/as ${HEDDLE_KERNEL_ASSEMBLER}/entries.awk
      ${HEDDLE_KERNEL_SCRIPT} ${HEDDLE_KERNEL_CHECK}
    DEPFILE ${object}.d
    VERBATIM)
endfunction()

# heddle_firmware(NAME OUTPUT SOURCE KERNEL): a host program as firmware that holds that kernel program. firmware.S beside the
# source, if there is one, is a part of it.
function(heddle_firmware name output source kernel)
  set(includes ${HEDDLE_FIRMWARE_INCLUDES})
  list(TRANSFORM includes PREPEND -I)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}_firmware.o)
  cmake_path(GET source PARENT_PATH folder)
  file(GLOB assembly CONFIGURE_DEPENDS ${folder}/firmware.S)
  if(assembly)
    list(APPEND assembly_objects ${object}.assembly.o)
    add_custom_command(
      OUTPUT ${object}.assembly.o
      COMMAND ${HEDDLE_RISCV_GCC} ${HEDDLE_FIRMWARE_TARGET} ${includes}
        -MD -MT ${object}.assembly.o -MF ${object}.assembly.d -g -c ${assembly} -o ${object}.assembly.o
      DEPENDS ${assembly}
      DEPFILE ${object}.assembly.d
      VERBATIM)
  endif()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${HEDDLE_RISCV_GCC} ${HEDDLE_FIRMWARE_TARGET} ${HEDDLE_FIRMWARE_FLAGS} ${includes}
      -MD -MT ${output} -MF ${object}.d -c ${source} -o ${object}
    COMMAND ${HEDDLE_RISCV_GCC} ${HEDDLE_FIRMWARE_LINK_TARGET} ${HEDDLE_FIRMWARE_LINK} -T ${HEDDLE_FIRMWARE_SCRIPT}
      -DKERNEL_ELF="${kernel}" ${HEDDLE_FIRMWARE_START} ${object} ${assembly_objects} ${HEDDLE_FIRMWARE_LIBRARY} -o ${output}
    DEPENDS ${source} ${assembly_objects} ${kernel} ${HEDDLE_FIRMWARE_SCRIPT} ${HEDDLE_FIRMWARE_START} ${HEDDLE_FIRMWARE_LIBRARY}
    DEPFILE ${object}.d
    VERBATIM)
endfunction()

function(heddle_app name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER" "")
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  if(arg_FOLDER)
    set(source ${arg_FOLDER})
  endif()
  set(output ${CMAKE_BINARY_DIR}/apps/${name})
  file(MAKE_DIRECTORY ${output})

  heddle_kernel(${name} ${output}/kernel.elf ${source}/kernel.c)
  add_custom_command(
    OUTPUT ${output}/app.yaml
    COMMAND ${HEDDLE_APP_CHECK} ${source} ${output}/kernel.elf ${name}
    COMMAND ${CMAKE_COMMAND} -E copy ${source}/app.yaml ${output}/app.yaml
    DEPENDS ${source}/app.yaml ${source}/host.c ${output}/kernel.elf ${HEDDLE_APP_CHECK}
    VERBATIM)
  heddle_firmware(${name} ${output}/firmware.elf ${source}/host.c ${output}/kernel.elf)
  add_custom_target(app_${name} ALL DEPENDS ${output}/kernel.elf ${output}/firmware.elf ${output}/app.yaml)

  # hd_* are found in the program that opens it.
  add_library(app_${name}_host MODULE ${source}/host.c)
  target_include_directories(app_${name}_host PRIVATE ${HEDDLE_FIRMWARE_INCLUDES})
  if(TARGET heddle_flags)
    target_link_libraries(app_${name}_host PRIVATE heddle_flags)
  endif()
  set_target_properties(app_${name}_host PROPERTIES
    PREFIX "" OUTPUT_NAME host SUFFIX .so LIBRARY_OUTPUT_DIRECTORY ${output})
  add_dependencies(app_${name} app_${name}_host)
  if(TARGET heddle_firmware_library)
    add_dependencies(app_${name} heddle_firmware_library)
  endif()
endfunction()
