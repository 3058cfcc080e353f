# NumPy reads what heed writes.

add_executable(interop ${CMAKE_CURRENT_SOURCE_DIR}/interop/interop.c)
target_link_libraries(interop PRIVATE heed-static)
heed_compile(interop)
add_test(NAME interop
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/interop/interop.py $<TARGET_FILE:interop>)
set_tests_properties(interop PROPERTIES SKIP_RETURN_CODE 77)
