# heed.c where neither zlib nor jansson is.

if(HEED_AMALGAMATED)
  set(heed_c ${PROJECT_BINARY_DIR}/amalgamation/heed.c)
  add_executable(test_without one_file/without.c ${heed_c})
  add_dependencies(test_without amalgamation)
  set_source_files_properties(${heed_c} PROPERTIES GENERATED ON
    COMPILE_DEFINITIONS "HEED_NO_ZLIB;HEED_NO_JANSSON" COMPILE_OPTIONS "-O1;-Wall;-Wextra")
  target_compile_definitions(test_without PRIVATE _POSIX_C_SOURCE=200809L)
  target_include_directories(test_without PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(test_without PRIVATE PkgConfig::CHECK Threads::Threads ZLIB::ZLIB m) # the test itself has zlib
  add_test(NAME test_without COMMAND test_without)
endif()
