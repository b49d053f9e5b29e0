# `cmake --install` gives the program, the library, the headers, the scenes and find_package(brio CONFIG).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS brio EXPORT brio-targets)
install(TARGETS brio_program RUNTIME)
install(DIRECTORY src/brio TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY scenes shapes papers DESTINATION ${CMAKE_INSTALL_DATADIR}/brio FILES_MATCHING PATTERN "*.json")
install(FILES LICENSE TYPE DOC)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/brio)
install(EXPORT brio-targets NAMESPACE brio:: DESTINATION ${package_dir})
configure_package_config_file(cmake/brio-config.cmake.in ${CMAKE_BINARY_DIR}/brio-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/brio-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/brio-config.cmake ${CMAKE_BINARY_DIR}/brio-config-version.cmake
  cmake/FindCholmod.cmake DESTINATION ${package_dir})
