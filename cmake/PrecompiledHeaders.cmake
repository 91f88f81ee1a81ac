# Most of the time that a file takes to compile goes into the headers that it includes: those that many share are compiled once
# for each set of flags. (GCC takes a precompiled header only if all macros that it looks at are the same.)
option(LAGGARD_PRECOMPILE "Precompile the headers that most files include" ON)

# laggard_precompiled(name LIBRARIES … HEADERS …): a target whose precompiled header others take.
function(laggard_precompiled name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;HEADERS" ${ARGN})
  if(NOT LAGGARD_PRECOMPILE)
    return()
  endif()
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp "// The headers are what counts.\n")
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} laggard_warnings)
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  # Without a checksum beside it, ccache reads the 200 to 300 MB of the precompiled header for each file that takes it: 1.3 s of
  # 5.4 where it compiles, and all but 0.06 s of 1.1 where it has the result.
  if(CCACHE_PROGRAM AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(header CMakeFiles/${name}.dir/cmake_pch.hxx.gch)
    set(checksum ${CMAKE_CURRENT_BINARY_DIR}/${header}.sum)
    add_custom_command(OUTPUT ${checksum} COMMAND ${CMAKE_COMMAND} -E sha256sum ${header} > ${checksum}
      DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${header} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    add_custom_target(${name}_checksum DEPENDS ${checksum})
  endif()
endfunction()

# laggard_take_precompiled(name target…); name may be empty, for targets whose macros fit none
function(laggard_take_precompiled name)
  if(LAGGARD_PRECOMPILE AND name)
    foreach(target IN LISTS ARGN)
      target_precompile_headers(${target} REUSE_FROM ${name})
      if(TARGET ${name}_checksum)
        add_dependencies(${target} ${name}_checksum) # before anything of it is compiled
      endif()
    endforeach()
  endif()
endfunction()

# laggard_folder_takes_precompiled(name folder…): every library and program of C++ in the folders and those below.
function(laggard_folder_takes_precompiled name)
  foreach(folder IN LISTS ARGN)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(type MATCHES "STATIC_LIBRARY|EXECUTABLE")
        laggard_take_precompiled(${name} ${target})
      endif()
    endforeach()
    get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    laggard_folder_takes_precompiled(${name} ${below})
  endforeach()
endfunction()
