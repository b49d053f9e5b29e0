# `cmake --install` gives the program, the library, the headers, the scenes and find_package(brio CONFIG).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS brio EXPORT brio-targets)
install(TARGETS brio_program RUNTIME)
# Of the headers, brio/brio.hpp and what it includes.
install(CODE "
  file(STRINGS \"${PROJECT_BINARY_DIR}/public_headers.txt\" headers)
  foreach(header \${headers})
    get_filename_component(folder \${header} DIRECTORY)
    file(INSTALL \"${PROJECT_SOURCE_DIR}/src/\${header}\" DESTINATION
      \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/\${folder}\")
  endforeach()")
install(FILES ${PROJECT_BINARY_DIR}/include/brio/abi.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/brio)
install(DIRECTORY scenes shapes papers DESTINATION ${CMAKE_INSTALL_DATADIR}/brio FILES_MATCHING PATTERN "*.json" PATTERN "*.webp")
install(FILES LICENSE TYPE DOC)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/brio)
install(EXPORT brio-targets NAMESPACE brio:: DESTINATION ${package_dir})
configure_package_config_file(cmake/brio-config.cmake.in ${CMAKE_BINARY_DIR}/brio-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/brio-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/brio-config.cmake ${CMAKE_BINARY_DIR}/brio-config-version.cmake
  cmake/FindCholmod.cmake cmake/brio_add_plugin.cmake DESTINATION ${package_dir})
