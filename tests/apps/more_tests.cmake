# The pages of `brio damping`, `brio mesh` and `brio reproduce` in headless Chromium.
find_program(BRIO_NODE NAMES node nodejs)
foreach(page damping_page mesh_page reproduce_page)
  if(BRIO_VIEWER AND BRIO_NODE)
    add_test(NAME apps.${page} COMMAND ${BRIO_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/apps/${page}_test.mjs
      $<TARGET_FILE:brio_program> ${CMAKE_CURRENT_BINARY_DIR}/${page})
  else()
    add_test(NAME apps.${page} COMMAND sh -c "echo 'SKIPPED: needs Node.js and BRIO_VIEWER=ON'; exit 77")
  endif()
  set_tests_properties(apps.${page} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endforeach()

# Plug-ins that the program must refuse.
include(${PROJECT_SOURCE_DIR}/cmake/brio_add_plugin.cmake)
foreach(broken 0 1 2 3)
  brio_add_plugin(broken_plugin_${broken} ${CMAKE_CURRENT_SOURCE_DIR}/apps/plugins/broken_plugin.cpp)
  target_include_directories(broken_plugin_${broken} PRIVATE ${PROJECT_BINARY_DIR}/include)
  target_compile_definitions(broken_plugin_${broken} PRIVATE BROKEN=${broken})
  target_compile_options(broken_plugin_${broken} PRIVATE -O0)
  add_dependencies(broken_plugin_${broken} brio)  # which makes brio/abi.hpp
  add_dependencies(test_apps broken_plugin_${broken})
endforeach()
set_source_files_properties(${folder}/plugin_test.cpp PROPERTIES COMPILE_DEFINITIONS BRIO_PLUGINS="${CMAKE_CURRENT_BINARY_DIR}")

# Writes that fail, preloaded into the program.
add_library(failing_writes MODULE ${CMAKE_CURRENT_SOURCE_DIR}/apps/faults/failing_writes.cpp)
target_link_libraries(failing_writes PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(test_apps failing_writes)
set_source_files_properties(${folder}/interrupted_run_test.cpp PROPERTIES
  COMPILE_DEFINITIONS BRIO_FAILING_WRITES="$<TARGET_FILE:failing_writes>")
