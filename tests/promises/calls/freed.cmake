# heed_freed_calls(PROGRAM HEADERS): PROGRAM includes the calls with freed objects that freed.py writes for HEADERS.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

include_guard(GLOBAL)
set(freed_folder ${CMAKE_CURRENT_LIST_DIR})

function(heed_freed_calls program folder)
  set(written ${CMAKE_CURRENT_BINARY_DIR}/calls/${program})
  file(GLOB_RECURSE read CONFIGURE_DEPENDS ${folder}/*.h)
  file(MAKE_DIRECTORY ${written})
  add_custom_command(OUTPUT ${written}/freed_calls.inc
    COMMAND Python3::Interpreter ${freed_folder}/freed.py ${folder} ${written}/freed_calls.inc
    DEPENDS ${read} ${freed_folder}/freed.py ${freed_folder}/headers.py)
  target_sources(${program} PRIVATE ${written}/freed_calls.inc)
  target_include_directories(${program} PRIVATE ${freed_folder} ${written})
endfunction()

heed_freed_calls(test_freed_handles ${PROJECT_SOURCE_DIR}/include/heed)
