# Counts the calls that some test programs make of the public functions (calls.h has the reasons), and adds two tests
# on the sums of these counts: misuse_manifest and oom_manifest.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

include(${CMAKE_CURRENT_LIST_DIR}/slots.cmake)
set(calls_py ${CMAKE_CURRENT_LIST_DIR}/calls.py)
set(public_include ${PROJECT_SOURCE_DIR}/include/heed)
set(public_calls ${CMAKE_CURRENT_BINARY_DIR}/calls/public_calls.h)
set(public_names ${CMAKE_CURRENT_BINARY_DIR}/calls/public_calls.syms)
file(GLOB_RECURSE public_headers CONFIGURE_DEPENDS ${public_include}/*.h)
file(GLOB misuse_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../misuse/test_misuse_*.c)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/calls)

add_custom_command(OUTPUT ${public_calls} ${public_names}
  COMMAND Python3::Interpreter ${calls_py} header ${public_include} ${public_calls} ${public_names}
  DEPENDS ${public_headers} ${calls_py} ${CMAKE_CURRENT_LIST_DIR}/headers.py)
# A public function that no misuse program calls fails the build here.
add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/calls/all_are_misused
  COMMAND Python3::Interpreter ${calls_py} sources ${public_include} ${misuse_sources} ${HEED_OP_CALLS} ${HEED_LAYER_CALLS}
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_CURRENT_BINARY_DIR}/calls/all_are_misused
  DEPENDS ${public_headers} ${misuse_sources} ${HEED_OP_CALLS} ${HEED_LAYER_CALLS} ${calls_py} ${CMAKE_CURRENT_LIST_DIR}/headers.py)
add_custom_target(heed-public-calls ALL DEPENDS ${public_calls} ${CMAKE_CURRENT_BINARY_DIR}/calls/all_are_misused)

add_library(heed-calls OBJECT ${CMAKE_CURRENT_LIST_DIR}/calls.c)
target_include_directories(heed-calls PUBLIC ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_SOURCE_DIR}/include)
heed_compile(heed-calls)

add_library(heed-stand-ins OBJECT ${CMAKE_CURRENT_LIST_DIR}/stand_ins.c)
add_dependencies(heed-stand-ins heed-public-calls)
target_include_directories(heed-stand-ins PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_BINARY_DIR}/calls ${PROJECT_SOURCE_DIR}/include)
heed_compile(heed-stand-ins)
target_compile_options(heed-stand-ins PRIVATE -Wno-missing-prototypes)

# Also records the call sites of allocations (sites.c).
add_library(heed-sites OBJECT ${CMAKE_CURRENT_LIST_DIR}/sites.c)
heed_compile(heed-sites)

# heed_count_calls(LABEL TARGET...) makes the test programs count their calls; LABEL_manifest reads their reports.
function(heed_count_calls label)
  foreach(target IN LISTS ARGN)
    set(report ${CMAKE_CURRENT_BINARY_DIR}/calls/${target}.txt)
    add_dependencies(${target} heed-public-calls)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/promises/calls)
    target_compile_options(${target} PRIVATE -include ${public_calls})
    get_target_property(source ${target} SOURCES)
    set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${public_calls})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:heed-calls>)
    set_property(TEST ${target} APPEND PROPERTY LABELS ${label})
    set_property(TEST ${target} APPEND PROPERTY ENVIRONMENT HEED_CALLS_REPORT=${report})
    set_property(TEST ${target} APPEND PROPERTY FIXTURES_SETUP ${label}_reports)
    list(APPEND reports ${report})
    list(APPEND pairs ${report}=$<TARGET_FILE:${target}>)
  endforeach()
  set(${label}_reports ${reports} PARENT_SCOPE)
  set(${label}_pairs ${pairs} PARENT_SCOPE)
endfunction()

# heed_count_calls_of(LIBRARY PROGRAM) links PROGRAM with a copy of the static library LIBRARY that calls the stand-ins
# instead of the public functions.
function(heed_count_calls_of library program)
  set(counted ${CMAKE_CURRENT_BINARY_DIR}/calls/${library}-counted.a)
  add_custom_command(OUTPUT ${counted}
    COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${public_names} $<TARGET_FILE:${library}> ${counted}
    DEPENDS ${library} ${public_names} VERBATIM)
  target_sources(${program} PRIVATE ${counted} $<TARGET_OBJECTS:heed-stand-ins>)
  target_include_directories(${program} PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(${program} PRIVATE ${counted})
endfunction()

list(TRANSFORM misuse_sources REPLACE ".*/(test_misuse_[a-z0-9_]+)\\.c$" "\\1" OUTPUT_VARIABLE misuse_programs)
heed_count_calls(misuse ${misuse_programs})
heed_use_op_calls(test_misuse_ops)
heed_use_layer_calls(test_misuse_layers)
heed_use_layer_cases(test_nn_oom)
add_test(NAME misuse_manifest COMMAND Python3::Interpreter ${calls_py} misuse ${public_include} ${misuse_reports})
set_tests_properties(misuse_manifest PROPERTIES LABELS misuse FIXTURES_REQUIRED misuse_reports)

# All programs with planned allocation failures: they include fail_alloc.h, directly or through oom_inputs.h.
foreach(source IN LISTS test_sources)
  file(STRINGS ${source} found REGEX "^#include \"(fail_alloc|oom_inputs)\\.h\"")
  if(found)
    get_filename_component(program ${source} NAME_WE)
    list(APPEND oom_programs ${program})
  endif()
endforeach()
heed_count_calls(oom ${oom_programs})
heed_count_calls_of(heed-op-cases test_oom_ops)
foreach(program IN LISTS oom_programs)
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:heed-sites>)
  target_link_options(${program} PRIVATE LINKER:--wrap=heed_alloc,--wrap=heed_calloc,--wrap=heed__alloc,--wrap=heed__alloc_tensor,--wrap=heed__alloc_node)
endforeach()
if(NOT HEED_TEST_SHARED) # --wrap does not affect a shared library
  add_test(NAME oom_manifest COMMAND Python3::Interpreter ${calls_py} oom ${public_include} ${PROJECT_SOURCE_DIR}/src
    ${oom_pairs} ${misuse_reports})
  set_tests_properties(oom_manifest PROPERTIES LABELS oom FIXTURES_REQUIRED "misuse_reports;oom_reports")
endif()

add_test(NAME calls_go_red COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_calls.py)
set_tests_properties(calls_go_red PROPERTIES LABELS "misuse;oom")
