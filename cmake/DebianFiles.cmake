# Read by cpack once the files of its packages lie ready: what Debian's policy wants of each package besides.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(GZIP gzip REQUIRED)
foreach(component cli gui mpich openmpi)
  set(top ${CPACK_TEMPORARY_DIRECTORY}/${component})
  if(NOT EXISTS ${top})
    continue()
  endif()
  string(TOUPPER ${component} upper)
  set(doc ${top}/usr/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(MAKE_DIRECTORY ${doc})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright ${doc}/copyright COPYONLY)
  file(GLOB pages ${top}/usr/share/man/man1/*.1)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${doc}/changelog "${CPACK_DEBIAN_${upper}_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What has changed is told in /usr/share/doc/laggard/CHANGELOG.md.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  foreach(file ${pages} ${doc}/changelog)
    execute_process(COMMAND ${GZIP} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
