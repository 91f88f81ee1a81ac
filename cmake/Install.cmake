# What is installed besides the programs, which their own folders install.
install(DIRECTORY resources/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/laggard)
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN man EXCLUDE)
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES layout/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.laggard-layout)
install(DIRECTORY screenshots DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES resources/laggard.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES resources/icons/laggard.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
