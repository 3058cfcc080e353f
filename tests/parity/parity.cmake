# What test_parity needs besides its own file.

target_sources(test_parity PRIVATE parity/adapters.c parity/compare.c parity/reader.c parity/run.c)
target_include_directories(test_parity PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
