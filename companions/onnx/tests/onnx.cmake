# libheed-onnx: its test_NAME.c programs are found like all others; this file links them, and adds the tests that run
# the written models.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

set(onnx heed-onnx-static)
if(HEED_TEST_SHARED)
  set(onnx heed-onnx-shared)
endif()
foreach(name test_onnx test_onnx_freed test_onnx_misuse test_onnx_oom)
  target_link_libraries(${name} PRIVATE ${onnx} PkgConfig::PROTOBUF_C)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endforeach()
heed_freed_calls(test_onnx_freed ${PROJECT_SOURCE_DIR}/companions/onnx/include/heed)
target_include_directories(test_onnx PRIVATE ${PROJECT_SOURCE_DIR}/companions/onnx/src)
target_include_directories(test_onnx SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/companions/onnx/messages)
add_dependencies(test_onnx heed-onnx-messages)

add_executable(onnx-models ${CMAKE_CURRENT_LIST_DIR}/models.c ${CMAKE_CURRENT_LIST_DIR}/model_layers.c
  ${CMAKE_CURRENT_LIST_DIR}/model_ops.c)
target_include_directories(onnx-models PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src
  ${PROJECT_SOURCE_DIR}/companions/onnx/src)
target_link_libraries(onnx-models PRIVATE ${onnx} heed-op-cases)
heed_compile(onnx-models)
add_test(NAME onnx_onnxruntime COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_onnxruntime.py
  $<TARGET_FILE:onnx-models>)
set_tests_properties(onnx_onnxruntime PROPERTIES SKIP_RETURN_CODE 77)

add_executable(onnx-special-values ${CMAKE_CURRENT_LIST_DIR}/special_values.c)
target_include_directories(onnx-special-values PRIVATE ${PROJECT_SOURCE_DIR}/companions/onnx/src)
target_link_libraries(onnx-special-values PRIVATE ${onnx} heed-op-cases)
heed_compile(onnx-special-values)
add_test(NAME onnx_special_values COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_special_values.py
  $<TARGET_FILE:onnx-special-values>)
set_tests_properties(onnx_special_values PROPERTIES SKIP_RETURN_CODE 77 LABELS op)
add_dependencies(op-checks onnx-special-values)

add_executable(export_mlp ${PROJECT_SOURCE_DIR}/companions/onnx/examples/export_mlp.c)
target_link_libraries(export_mlp PRIVATE ${onnx})
heed_compile(export_mlp)
if(TARGET mlp)
  add_test(NAME onnx_example COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_onnx_example.py
    $<TARGET_FILE:mlp> $<TARGET_FILE:export_mlp>)
  set_tests_properties(onnx_example PROPERTIES SKIP_RETURN_CODE 77)
endif()
