# Compiler settings of all of heed's code: warnings, hardening, sanitizers, coverage.
#
#   heed_compile(TARGET)    applies all of them to a target
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

set(HEED_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes
  -Wcast-align=strict -Wcast-qual -Wformat=2 -Wundef -Wvla -Wdouble-promotion -Wnull-dereference
  -Wframe-larger-than=4096)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
  list(TRANSFORM HEED_WARNINGS REPLACE "^-Wcast-align=strict$" "-Wcast-align")
endif()

# Results must not depend on the compiler's choices: no contraction into fma, no -ffast-math, ever.
set(HEED_FLAGS -ffp-contract=off -fno-math-errno -fno-trapping-math)
# A program linked with --gc-sections contains only the code that it uses: docs/size.md.
list(APPEND HEED_FLAGS -ffunction-sections -fdata-sections)
if(HEED_SANITIZE)
  list(APPEND HEED_FLAGS -fsanitize=${HEED_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
elseif(NOT WIN32) # the linker for Windows hardens by itself
  set(HEED_HARDENING -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND HEED_HARDENING -fcf-protection)
  endif()
endif()
if(HEED_COVERAGE)
  list(APPEND HEED_FLAGS --coverage -fprofile-update=atomic)
endif()

# Allow files of more than 2 GiB if a long has 32 bits. On i386, add in SSE2 registers, which round once; x87 registers round
# twice.
list(APPEND HEED_FLAGS -D_FILE_OFFSET_BITS=64)
if(WIN32) # use a printf that conforms to C, not Microsoft's; the macro isfinite contains a call that takes a float
  list(APPEND HEED_FLAGS -D__USE_MINGW_ANSI_STDIO=1 -Wno-float-conversion)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^i[3-6]86$")
  list(APPEND HEED_FLAGS -msse2 -mfpmath=sse)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "s390x") # gcc would use doubles for floats
  list(APPEND HEED_FLAGS -fexcess-precision=fast)
endif()

function(heed_compile target)
  target_compile_options(${target} PRIVATE ${HEED_WARNINGS} ${HEED_FLAGS} ${HEED_HARDENING})
  if(HEED_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(HEED_HARDENING)
    target_compile_options(${target} PRIVATE "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
    target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now)
  endif()
  if(HEED_SANITIZE)
    target_link_options(${target} PRIVATE -fsanitize=${HEED_SANITIZE})
  endif()
  if(HEED_COVERAGE)
    target_link_options(${target} PRIVATE --coverage)
  endif()
endfunction()
