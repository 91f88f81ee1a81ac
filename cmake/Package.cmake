# Packages for Debian (laggard: the window; laggard-cli: everything that needs no display; one for each MPI), and a folder that may lie anywhere.
#   cpack --config build/release/CPackConfig.cmake -G DEB      or -G TGZ
set(LAGGARD_MAINTAINER "The people who build Laggard <laggard@localhost.localdomain>" CACHE STRING "Whom packages name as their maintainer")
set(CPACK_PACKAGE_NAME laggard)
set(CPACK_PACKAGE_CONTACT "${LAGGARD_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "says why a parallel job hangs, crashes or runs slow")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/DebianFiles.cmake)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL cli gui)
set(CPACK_VERBATIM_VARIABLES ON)

# A relocatable folder holds both: programs find each other by where they lie.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageByGenerator.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME laggard-cli)
set(CPACK_DEBIAN_GUI_PACKAGE_NAME laggard)
set(CPACK_COMPONENT_CLI_DESCRIPTION "Command line tools that say why a parallel job hangs, crashes or runs slow
 Records MPI jobs, takes the stacks of jobs that nobody recorded, and tells
 which task made the least progress, which tasks behave unlike the rest,
 when, and in which code.")
set(CPACK_COMPONENT_GUI_DESCRIPTION "Trace explorer and visual debugger for parallel jobs
 Opens OTF2 traces, recordings and dumps of MPI jobs that hang, crash or run
 slow, and shows which task made the least progress, who waits for whom, and
 the source of it.")
# libunwind is loaded by the recorder at run time; Clang compiles the sources to be sliced.
set(CPACK_DEBIAN_CLI_PACKAGE_DEPENDS "libunwind8")
set(CPACK_DEBIAN_CLI_PACKAGE_RECOMMENDS "clang-14, libclang-common-14-dev, fonts-dejavu-core")
set(CPACK_DEBIAN_GUI_PACKAGE_DEPENDS "laggard-cli (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_GUI_PACKAGE_RECOMMENDS "fonts-dejavu-core")
# What is linked to an MPI: laggard-mpich, laggard-openmpi.
foreach(flavour mpich openmpi)
  if(TARGET laggard-across-${flavour})
    string(TOUPPER ${flavour} upper)
    list(APPEND CPACK_COMPONENTS_ALL ${flavour})
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME laggard-${flavour})
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "laggard-cli (= ${PROJECT_VERSION})")
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "Several processes for laggard-analyze, by ${flavour}
 Lets laggard-analyze share its work among processes on several nodes.")
  endif()
endforeach()
include(CPack)
