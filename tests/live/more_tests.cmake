# The live page in headless Chromium.
find_program(BRIO_NODE NAMES node nodejs)
if(BRIO_VIEWER AND BRIO_NODE)
  add_test(NAME live.page COMMAND ${BRIO_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/live/live_page_test.mjs
    $<TARGET_FILE:brio_program> ${PROJECT_SOURCE_DIR}/scenes ${CMAKE_CURRENT_BINARY_DIR}/live_page)
else()
  add_test(NAME live.page COMMAND sh -c "echo 'SKIPPED: needs Node.js and BRIO_VIEWER=ON'; exit 77")
endif()
set_tests_properties(live.page PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
