# Teams of processes under every installed MPI: Debian's Open MPI and MPICH if both are installed, or the default one.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

if(NOT HEED_SANITIZE AND NOT HEED_COVERAGE) # MPI's compilers do not have these flags
  set(mpis "")
  foreach(kind openmpi mpich)
    find_program(HEED_MPICC_${kind} NAMES mpicc.${kind})
    find_program(HEED_MPIRUN_${kind} NAMES mpirun.${kind} mpiexec.${kind})
    if(HEED_MPICC_${kind} AND HEED_MPIRUN_${kind})
      list(APPEND mpis ${HEED_MPICC_${kind}} ${HEED_MPIRUN_${kind}})
    endif()
  endforeach()
  if(NOT mpis AND MPI_C_FOUND AND MPI_C_COMPILER AND MPIEXEC_EXECUTABLE)
    set(mpis ${MPI_C_COMPILER} ${MPIEXEC_EXECUTABLE})
  endif()
  add_executable(mpi_alone ${CMAKE_CURRENT_LIST_DIR}/alone.c)
  target_compile_definitions(mpi_alone PRIVATE _POSIX_C_SOURCE=200809L)
  target_include_directories(mpi_alone PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(mpi_alone PRIVATE heed-static)
  heed_compile(mpi_alone)
  foreach(name mpi killed)
    add_test(NAME ${name} COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_${name}.py ${PROJECT_SOURCE_DIR}
      $<TARGET_FILE:mpi_alone> $<TARGET_FILE:heed-static> ${JANSSON_LDFLAGS} ${ZLIB_LIBRARIES} -pthread -lm -- ${mpis})
    set_tests_properties(${name} PROPERTIES LABELS gate SKIP_RETURN_CODE 77)
  endforeach()
endif()
