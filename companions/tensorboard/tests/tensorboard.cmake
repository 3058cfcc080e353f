# libheed-tensorboard: its test_NAME.c programs are found like all others; this file links them, and adds the tests
# that read the written logs.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

set(tensorboard heed-tensorboard-static)
if(HEED_TEST_SHARED)
  set(tensorboard heed-tensorboard-shared)
endif()
foreach(name test_tensorboard test_tensorboard_disk test_tensorboard_freed test_tensorboard_misuse test_tensorboard_oom)
  target_link_libraries(${name} PRIVATE ${tensorboard})
endforeach()
heed_freed_calls(test_tensorboard_freed ${PROJECT_SOURCE_DIR}/companions/tensorboard/include/heed)
target_sources(test_tensorboard PRIVATE ${PROJECT_SOURCE_DIR}/companions/tensorboard/src/crc32c.c)
target_include_directories(test_tensorboard PRIVATE ${PROJECT_SOURCE_DIR}/companions/tensorboard/src)

target_compile_definitions(test_tensorboard_disk PRIVATE _DEFAULT_SOURCE) # syscall

foreach(name events logwork)
  add_executable(${name} ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
  target_compile_definitions(${name} PRIVATE _DEFAULT_SOURCE) # syscall
  target_link_libraries(${name} PRIVATE heed-tensorboard-static)
  heed_compile(${name})
endforeach()
add_test(NAME tensorboard_events COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_events.py $<TARGET_FILE:events>)
add_test(NAME tensorboard_readers COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_readers.py $<TARGET_FILE:events>)
set_tests_properties(tensorboard_readers PROPERTIES SKIP_RETURN_CODE 77)
if(NOT HEED_SANITIZE) # a leak checker does not work in a traced process
  add_test(NAME tensorboard_faults COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_faults.py $<TARGET_FILE:logwork>)
  set_tests_properties(tensorboard_faults PROPERTIES LABELS "iofault;gate" SKIP_RETURN_CODE 77)
endif()
