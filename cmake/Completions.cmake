# Completions for bash, zsh and fish, made of what the programs themselves say with --help.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND OR CMAKE_CROSSCOMPILING)
  message(STATUS "Completions of shells are not made: there is no Python, or the programs do not run on this machine")
  return()
endif()
set(completed laggard-analyze laggard-attach laggard-record)
if(TARGET laggard)
  list(APPEND completed laggard)
endif()
if(TARGET laggard-slice)
  list(APPEND completed laggard-slice)
endif()
set(files)
foreach(program IN LISTS completed)
  list(APPEND files $<TARGET_FILE:${program}>)
endforeach()
set(stamp ${PROJECT_BINARY_DIR}/completions/made)
add_custom_command(OUTPUT ${stamp}
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/scripts/make-completions ${PROJECT_BINARY_DIR}/completions ${files}
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
  DEPENDS ${completed} ${PROJECT_SOURCE_DIR}/scripts/make-completions VERBATIM)
add_custom_target(laggard_completions ALL DEPENDS ${stamp})
add_dependencies(laggard_installed laggard_completions)

# The window's are of its own package.
foreach(place "bash;bash-completion/completions;laggard" "zsh;zsh/vendor-completions;_laggard" "fish;fish/vendor_completions.d;laggard.fish")
  list(GET place 0 shell)
  list(GET place 1 folder)
  list(GET place 2 window)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/completions/${shell}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder}
    PATTERN ${window} EXCLUDE)
  if(TARGET laggard)
    install(FILES ${PROJECT_BINARY_DIR}/completions/${shell}/${window} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT gui)
  endif()
endforeach()
