# Warnings, sanitizers and the compiler cache, shared by all targets.

add_library(laggard_warnings INTERFACE)
target_compile_options(laggard_warnings INTERFACE -Wall -Wextra $<$<BOOL:${LAGGARD_WERROR}>:-Werror>)

if(LAGGARD_SANITIZE)
  add_compile_options(-fsanitize=${LAGGARD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # GCC 12 loses track of initialisation in code that sanitizers have instrumented.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  add_link_options(-fsanitize=${LAGGARD_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # With precompiled headers, ccache looks only where it is told that they do not depend on macros and the time of day.
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 ${CCACHE_PROGRAM})
endif()
