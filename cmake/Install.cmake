# What is installed besides the programs, which their own folders install. Two components: `gui` is the window and what belongs to
# it, `cli` all the rest.
install(DIRECTORY resources/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/laggard)
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1" PATTERN laggard.1 EXCLUDE)
install(FILES docs/man/laggard.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT gui)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN man EXCLUDE)
install(FILES README.md CHANGELOG.md CITATION.cff LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES layout/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.laggard-layout)
install(DIRECTORY screenshots DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT gui)
install(FILES resources/laggard.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT gui)
install(FILES resources/laggard-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME laggard.xml COMPONENT gui)
install(FILES resources/laggard.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo RENAME org.laggard.Laggard.metainfo.xml COMPONENT gui)
install(FILES resources/icons/laggard.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT gui)
