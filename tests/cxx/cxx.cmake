# heed used from C++11 to C++20, with g++ and clang++ if they are installed.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

if(NOT HEED_SANITIZE AND NOT HEED_COVERAGE) # these would need flags for the C++ compilers
  find_program(HEED_GXX NAMES g++)
  find_program(HEED_CLANGXX NAMES clang++)
  set(cxx_compilers ${HEED_GXX} ${HEED_CLANGXX})
  list(FILTER cxx_compilers EXCLUDE REGEX "NOTFOUND$")
  add_test(NAME cxx COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_cxx.py ${PROJECT_SOURCE_DIR}/include
    $<TARGET_FILE:heed::heed> ${JANSSON_LDFLAGS} ${ZLIB_LIBRARIES} -pthread -- ${cxx_compilers})
  set_tests_properties(cxx PROPERTIES LABELS "lint;gate") # independent of the preset's compiler, like lint-headers
endif()
