# Writes the list of the headers that are installed, and brio/abi.hpp, by which brio tells plug-ins that were built
# against other headers. Only the file that loads plug-ins needs the latter here.
file(GLOB_RECURSE all_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/brio/*.hpp)
set(abi_header ${PROJECT_BINARY_DIR}/include/brio/abi.hpp)
set(header_list ${PROJECT_BINARY_DIR}/public_headers.txt)
add_custom_command(OUTPUT ${abi_header} ${header_list}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/src -DVERSION=${PROJECT_VERSION} -DOUT=${abi_header}
    -DLIST=${header_list} -P ${PROJECT_SOURCE_DIR}/cmake/find_public_headers.cmake
  DEPENDS ${all_headers} ${PROJECT_SOURCE_DIR}/cmake/find_public_headers.cmake
  COMMENT "Listing the public headers" VERBATIM)
target_sources(brio_cold PRIVATE ${abi_header})
target_include_directories(brio_cold PRIVATE ${PROJECT_BINARY_DIR}/include)
