# Tests that NumPy reads files written by heed and exchanges tensors with it, and that PyTorch and NumPy have the functions that
# the headers name.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

add_executable(interop ${CMAKE_CURRENT_SOURCE_DIR}/interop/interop.c)
target_link_libraries(interop PRIVATE heed-static)
heed_compile(interop)
add_test(NAME interop
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/interop/interop.py $<TARGET_FILE:interop>)
set_tests_properties(interop PROPERTIES SKIP_RETURN_CODE 77)

add_test(NAME names_elsewhere
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/interop/names.py ${PROJECT_SOURCE_DIR}/include/heed
    ${PROJECT_SOURCE_DIR}/docs/manual)
set_tests_properties(names_elsewhere PROPERTIES SKIP_RETURN_CODE 77)

if(TARGET heed-shared AND NOT HEED_SANITIZE)
  add_test(NAME dlpack COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/interop/dlpack.py $<TARGET_FILE:heed-shared>)
  set_tests_properties(dlpack PROPERTIES SKIP_RETURN_CODE 77)
endif()
