# Libraries of many small files: several files are compiled at once, so that the headers that they share are read once and what
# they instantiate alike is made once. For whole builds; whoever changes one file and builds again is better off without
# (-DLAGGARD_UNITY=OFF). Figures: CONTRIBUTING.md.
option(LAGGARD_UNITY "Compile several files of a library at once" ON)

# laggard_unite(folder…): every library of C++ in the folders and those below.
function(laggard_unite)
  if(NOT LAGGARD_UNITY)
    return()
  endif()
  foreach(folder IN LISTS ARGN)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(type STREQUAL "STATIC_LIBRARY")
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
      endif()
    endforeach()
    get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    laggard_unite(${below})
  endforeach()
endfunction()
