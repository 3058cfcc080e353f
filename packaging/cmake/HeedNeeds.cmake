# heed's build dependencies. All missing ones are reported at once, with their packages on Debian and Ubuntu.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

set(missing "")
set(packages "")

# heed_need(FOUND DESCRIPTION PACKAGE) adds a dependency to the missing ones unless the variable FOUND is true.
macro(heed_need found what package)
  if(NOT ${found})
    string(APPEND missing "\n  ${what}")
    string(APPEND packages " ${package}")
  endif()
endmacro()

find_package(PkgConfig QUIET)
heed_need(PKG_CONFIG_FOUND "pkg-config" pkg-config)
find_package(Threads QUIET)
heed_need(Threads_FOUND "POSIX threads" libc6-dev)
find_package(ZLIB QUIET)
heed_need(ZLIB_FOUND "zlib, with its headers" zlib1g-dev)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(JANSSON QUIET IMPORTED_TARGET jansson)
endif()
heed_need(JANSSON_FOUND "Jansson, with its headers (searched with pkg-config)" libjansson-dev)

# For pictures. The font and the encoder become part of the library: they are not needed after the build, and they do not
# depend on the processor.
find_path(HEED_STB_DIR NAMES stb_image_write.h PATHS /usr/include PATH_SUFFIXES stb NO_CMAKE_FIND_ROOT_PATH
  DOC "Folder of stb_image_write.h and stb_truetype.h")
set(stb_found OFF)
if(HEED_STB_DIR AND EXISTS ${HEED_STB_DIR}/stb_truetype.h)
  set(stb_found ON)
endif()
heed_need(stb_found "stb_image_write.h and stb_truetype.h (set HEED_STB_DIR to their folder)" libstb-dev)
find_file(HEED_FONT DejaVuSans.ttf
  PATHS /usr/share/fonts /usr/local/share/fonts
  PATH_SUFFIXES truetype/dejavu dejavu TTF dejavu-sans-fonts
  NO_CMAKE_FIND_ROOT_PATH
  DOC "TrueType font for the text in plots")
heed_need(HEED_FONT "the font DejaVuSans.ttf (set HEED_FONT to its path)" fonts-dejavu-core)
if(CMAKE_CROSSCOMPILING) # a program that runs during the build must be compiled for this machine
  find_program(HEED_HOST_CC NAMES cc gcc clang DOC "C compiler for the machine that builds")
  heed_need(HEED_HOST_CC "a C compiler for the machine that builds (set HEED_HOST_CC to its path)" gcc)
endif()

# For the optional libheed-mpi: quietly, unless it is requested.
if(HEED_MPI)
  find_package(MPI QUIET COMPONENTS C)
  if(NOT HEED_MPI STREQUAL "AUTO")
    heed_need(MPI_C_FOUND "MPI, with its headers (not with -DHEED_MPI=AUTO or OFF)" libopenmpi-dev)
  endif()
endif()

# For libheed-tensorboard and libheed-onnx, which are optional too.
if(HEED_TENSORBOARD OR HEED_ONNX)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(PROTOBUF_C QUIET IMPORTED_TARGET libprotobuf-c)
  endif()
  find_program(HEED_PROTOC_C protoc-c DOC "protobuf-c's compiler of messages")
  foreach(companion HEED_TENSORBOARD HEED_ONNX)
    if(${companion} AND NOT ${companion} STREQUAL "AUTO")
      heed_need(PROTOBUF_C_FOUND "protobuf-c, with its headers (not with -D${companion}=AUTO or OFF)" libprotobuf-c-dev)
      heed_need(HEED_PROTOC_C "protoc-c, the compiler of protobuf-c (set HEED_PROTOC_C to its path)" protobuf-c-compiler)
    endif()
  endforeach()
endif()

# For libheed-images, which is optional too.
if(HEED_IMAGES)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(LIBPNG QUIET IMPORTED_TARGET libpng>=1.6.32)
    pkg_check_modules(LIBJPEG QUIET IMPORTED_TARGET libjpeg)
  endif()
  if(NOT HEED_IMAGES STREQUAL "AUTO")
    heed_need(LIBPNG_FOUND "libpng 1.6.32 or newer, with its headers (not with -DHEED_IMAGES=AUTO or OFF)" libpng-dev)
    heed_need(LIBJPEG_FOUND "libjpeg-turbo, with its headers (not with -DHEED_IMAGES=AUTO or OFF)" libjpeg-dev)
  endif()
endif()

if(HEED_BUILD_TESTS)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(CHECK QUIET IMPORTED_TARGET check)
  endif()
  heed_need(CHECK_FOUND "Check, the test framework (not with -DHEED_BUILD_TESTS=OFF)" check)
  find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
  heed_need(Python3_FOUND "Python 3.9 or newer (not with -DHEED_BUILD_TESTS=OFF)" python3)
  if(Python3_FOUND) # use Python itself, not a script in PATH such as pyenv's, which searches for Python at every start
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
      OUTPUT_VARIABLE interpreter OUTPUT_STRIP_TRAILING_WHITESPACE)
    set_property(TARGET Python3::Interpreter PROPERTY IMPORTED_LOCATION ${interpreter})
  endif()
  find_program(HEED_CXX NAMES g++ clang++ c++)
  heed_need(HEED_CXX "a C++ compiler (not with -DHEED_BUILD_TESTS=OFF)" g++)
endif()

if(missing)
  message(FATAL_ERROR "heed's build needs these, which were not found:${missing}\n"
                      "On Debian and Ubuntu: apt-get install${packages}")
endif()
