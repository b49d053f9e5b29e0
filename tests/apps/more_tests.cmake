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
