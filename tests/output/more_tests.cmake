# The report page in headless Chromium.
find_program(BRIO_NODE NAMES node nodejs)
if(BRIO_VIEWER AND BRIO_NODE)
  add_test(NAME output.report_page COMMAND ${BRIO_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/output/report_page_test.mjs
    $<TARGET_FILE:test_output> ${CMAKE_CURRENT_BINARY_DIR}/report_page)
else()
  add_test(NAME output.report_page COMMAND sh -c "echo 'SKIPPED: needs Node.js and BRIO_VIEWER=ON'; exit 77")
endif()
set_tests_properties(output.report_page PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
