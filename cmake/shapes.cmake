# The shape files of shapes/ as strings in the library.
file(GLOB shape_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shapes/*.json)
set(shape_texts ${PROJECT_BINARY_DIR}/named_shape_texts.cpp)
add_custom_command(OUTPUT ${shape_texts}
  COMMAND ${CMAKE_COMMAND} -DOUT=${shape_texts} "-DFILES=${shape_files}"
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_shapes.cmake
  DEPENDS ${shape_files} ${PROJECT_SOURCE_DIR}/cmake/embed_shapes.cmake
  COMMENT "Embedding the named shapes" VERBATIM)
target_sources(brio_generated PRIVATE ${shape_texts})
