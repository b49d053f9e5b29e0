# The page of `brio damping` in headless Chromium.
find_program(BRIO_NODE NAMES node nodejs)
if(BRIO_VIEWER AND BRIO_NODE)
  add_test(NAME apps.damping_page COMMAND ${BRIO_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/apps/damping_page_test.mjs
    $<TARGET_FILE:brio_program> ${CMAKE_CURRENT_BINARY_DIR}/damping_page)
else()
  add_test(NAME apps.damping_page COMMAND sh -c "echo 'SKIPPED: needs Node.js and BRIO_VIEWER=ON'; exit 77")
endif()
set_tests_properties(apps.damping_page PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
