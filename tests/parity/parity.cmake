# What test_parity needs besides its own file.

target_sources(test_parity PRIVATE parity/adapters.c parity/compare.c parity/op_slots.c parity/reader.c parity/run.c)
target_include_directories(test_parity PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
heed_use_op_calls(test_parity)
