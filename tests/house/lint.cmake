# The rules that a compiler does not check (scripts/lint), and the tests that each of them goes red.

function(heed_lint rule)
  add_test(NAME lint-${rule} COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/lint ${rule} ${ARGN})
  set_tests_properties(lint-${rule} PROPERTIES LABELS lint)
endfunction()

heed_lint(sizes)
heed_lint(includes)
heed_lint(ops)
heed_lint(words)
heed_lint(manual)
heed_lint(structs)
add_test(NAME lint-sites COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/sites --check)
set_tests_properties(lint-sites PROPERTIES LABELS lint)
add_test(NAME lint-symbols COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/symbols --check)
set_tests_properties(lint-symbols PROPERTIES LABELS lint)
add_test(NAME lint-python COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/python --check)
set_tests_properties(lint-python PROPERTIES LABELS lint)
if(EXISTS ${PROJECT_SOURCE_DIR}/debian) # which a release's sources are without
  add_test(NAME lint-versions COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/release --versions)
  add_test(NAME lint-versions-goes-red COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_release.py)
  set_tests_properties(lint-versions lint-versions-goes-red PROPERTIES LABELS lint)
endif()
heed_lint(headers --cc ${CMAKE_C_COMPILER} --cxx ${HEED_CXX})
if(NOT HEED_SANITIZE) # sanitizers add symbols of their own
  heed_lint(archive $<TARGET_FILE:heed-static> --nm ${CMAKE_NM})
endif()
if(HEED_SHARED)
  heed_lint(exports $<TARGET_FILE:heed-shared> --nm ${CMAKE_NM})
endif()

add_test(NAME lint-goes-red COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_lint.py)
set_tests_properties(lint-goes-red PROPERTIES LABELS "lint;gate")

find_program(HEED_CLANG clang)
add_test(NAME test_nodiscard COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_nodiscard.py ${CMAKE_C_COMPILER}
  $<$<BOOL:${HEED_CLANG}>:${HEED_CLANG}>)
set_tests_properties(test_nodiscard PROPERTIES LABELS lint)
