# Tests of the library as one file. test_without: heed.c without zlib and Jansson, and with kernels for one instruction set.
# Other tests: the R and Python packages with the library inside; a program contains only the code that it calls.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

if(HEED_AMALGAMATED)
  set(heed_c ${PROJECT_BINARY_DIR}/amalgamation/heed.c)
  add_library(heed-without OBJECT ${heed_c})
  add_dependencies(heed-without amalgamation)
  set_source_files_properties(${heed_c} PROPERTIES GENERATED ON)
  target_compile_definitions(heed-without PRIVATE HEED_NO_ZLIB HEED_NO_JANSSON HEED_ONE_ISA)
  target_compile_options(heed-without PRIVATE -O1 -Wall -Wextra -ffunction-sections -fdata-sections)

  add_executable(test_without one_file/without.c $<TARGET_OBJECTS:heed-without>)
  target_compile_definitions(test_without PRIVATE _POSIX_C_SOURCE=200809L)
  target_include_directories(test_without PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(test_without PRIVATE PkgConfig::CHECK Threads::Threads ZLIB::ZLIB m) # the test itself uses zlib
  add_test(NAME test_without COMMAND test_without)

  add_test(NAME r_package COMMAND ${PROJECT_SOURCE_DIR}/companions/r/tests/package.sh
    ${PROJECT_BINARY_DIR}/amalgamation ${PROJECT_BINARY_DIR}/companions/r-package)
  add_test(NAME python_package COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/companions/python/tests/test_package.py
    ${PROJECT_BINARY_DIR}/amalgamation $<TARGET_FILE:heed-static>)
  set_tests_properties(r_package python_package PROPERTIES SKIP_RETURN_CODE 77)

  add_executable(kernel_regression one_file/kernel_regression.c $<TARGET_OBJECTS:heed-without>)
  target_include_directories(kernel_regression PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(kernel_regression PRIVATE Threads::Threads m)
  target_link_options(kernel_regression PRIVATE LINKER:--gc-sections)
  add_test(NAME one_file_links_what_is_called
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/one_file/links_what_is_called.sh $<TARGET_FILE:kernel_regression> ${CMAKE_NM})
endif()
