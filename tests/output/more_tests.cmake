# The pages in headless Chromium.
find_program(BRIO_NODE NAMES node nodejs)
if(BRIO_VIEWER AND BRIO_NODE)
  add_test(NAME output.report_page COMMAND ${BRIO_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/output/report_page_test.mjs
    $<TARGET_FILE:test_output> ${CMAKE_CURRENT_BINARY_DIR}/report_page)
  add_test(NAME output.compare_page COMMAND ${BRIO_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/output/compare_page_test.mjs
    $<TARGET_FILE:brio_program> ${PROJECT_SOURCE_DIR}/scenes/bar-1k.json ${CMAKE_CURRENT_BINARY_DIR}/compare_page)
  add_test(NAME output.modes_page COMMAND ${BRIO_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/output/modes_page_test.mjs
    $<TARGET_FILE:brio_program> ${PROJECT_SOURCE_DIR}/scenes/spinning-bar.json ${CMAKE_CURRENT_BINARY_DIR}/modes_page)
else()
  foreach(page report_page compare_page modes_page)
    add_test(NAME output.${page} COMMAND sh -c "echo 'SKIPPED: needs Node.js and BRIO_VIEWER=ON'; exit 77")
  endforeach()
endif()
set_tests_properties(output.report_page output.compare_page output.modes_page PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
