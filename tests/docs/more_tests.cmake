# The site that tools/site makes of docs/, in headless Chromium.
find_program(BRIO_NODE NAMES node nodejs)
if(BRIO_NODE)
  add_test(NAME docs.site COMMAND ${BRIO_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/docs/site_test.mjs
    ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/site)
else()
  add_test(NAME docs.site COMMAND sh -c "echo 'SKIPPED: needs Node.js'; exit 77")
endif()
set_tests_properties(docs.site PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
