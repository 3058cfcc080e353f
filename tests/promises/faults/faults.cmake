# Files under faults: failing system calls (iofault), processes killed while they save (killsave), several
# processes that save to one path (savers).
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

foreach(name filework killsave savers)
  add_executable(${name} ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
  target_compile_definitions(${name} PRIVATE _POSIX_C_SOURCE=200809L)
  target_link_libraries(${name} PRIVATE heed-static)
  heed_compile(${name})
endforeach()
target_compile_definitions(filework PRIVATE _DEFAULT_SOURCE) # syscall
if(TARGET heed-onnx-static)
  target_compile_definitions(filework PRIVATE WITH_ONNX)
  target_link_libraries(filework PRIVATE heed-onnx-static)
endif()
target_compile_definitions(savers PRIVATE _DEFAULT_SOURCE) # MAP_ANONYMOUS
add_test(NAME killsave COMMAND killsave)
add_test(NAME savers COMMAND savers)
set_tests_properties(killsave savers PROPERTIES LABELS killsave)
# A leak checker does not work in a traced process.
if(NOT HEED_SANITIZE)
  add_test(NAME iofault
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/iofault.py $<TARGET_FILE:filework>)
  set_tests_properties(iofault PROPERTIES LABELS "iofault;gate" SKIP_RETURN_CODE 77)
endif()
