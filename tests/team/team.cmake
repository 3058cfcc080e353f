# Teams of processes, over sockets.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

target_compile_definitions(test_team_faults PRIVATE _DEFAULT_SOURCE) # MAP_ANONYMOUS

# Mistakes planted in a process of a team: the sanitizers must report them, and the launcher must report a failed process.

function(heed_planted fault report)
  add_test(NAME test_planted_${fault}_in_a_team COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/expect_report.py
    "${report}.*a process ended with status" $<TARGET_FILE:planted_in_a_team> ${fault})
  set_tests_properties(test_planted_${fault}_in_a_team PROPERTIES LABELS threads)
endfunction()

if(HEED_SANITIZE)
  add_executable(planted_in_a_team ${CMAKE_CURRENT_LIST_DIR}/planted.c)
  target_compile_definitions(planted_in_a_team PRIVATE _POSIX_C_SOURCE=200809L)
  target_include_directories(planted_in_a_team PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(planted_in_a_team PRIVATE heed::tested PkgConfig::CHECK Threads::Threads m)
  heed_compile(planted_in_a_team)
  target_compile_options(planted_in_a_team PRIVATE -Wno-missing-prototypes -Wno-null-dereference)
  if(HEED_SANITIZE MATCHES "thread")
    heed_planted(race "ThreadSanitizer: data race")
  elseif(HEED_SANITIZE MATCHES "address")
    heed_planted(leak "LeakSanitizer: detected memory leaks")
    heed_planted(stale "heap-use-after-free")
  endif()
endif()
