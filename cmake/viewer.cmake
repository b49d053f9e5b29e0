# The web pages of viewer/, built with npm when their sources change and put into the library as strings. With
# BRIO_VIEWER=OFF the library carries viewer/src/without_viewer.html instead and npm is not needed.
option(BRIO_VIEWER "Build the 3D report page with npm" ON)

set(viewer ${PROJECT_SOURCE_DIR}/viewer)
set(viewer_pages report damping curves reproduce live)
if(BRIO_VIEWER)
  find_program(BRIO_NPM npm)
  if(NOT BRIO_NPM)
    message(FATAL_ERROR "npm was not found. It bundles the report page: install the package `npm` "
      "(Debian: apt-get install npm), or configure with -DBRIO_VIEWER=OFF for a report without pictures.")
  endif()
  list(TRANSFORM viewer_pages REPLACE "(.+)" "${viewer}/dist/\\1.html" OUTPUT_VARIABLE bundled_pages)
  # npm writes this list of what it installed, so it tells whether the installation is older than the lock file.
  set(installed ${viewer}/node_modules/.package-lock.json)
  file(GLOB viewer_sources CONFIGURE_DEPENDS ${viewer}/src/*)
  add_custom_command(OUTPUT ${installed}
    COMMAND ${BRIO_NPM} ci --no-audit --no-fund --loglevel=error
    DEPENDS ${viewer}/package.json ${viewer}/package-lock.json ${viewer}/.npmrc
    WORKING_DIRECTORY ${viewer} COMMENT "Installing what the report page is made of (npm ci)" VERBATIM)
  add_custom_command(OUTPUT ${bundled_pages}
    COMMAND ${BRIO_NPM} run --silent build
    DEPENDS ${installed} ${viewer}/build.mjs ${viewer_sources}
    WORKING_DIRECTORY ${viewer} COMMENT "Bundling the pages" VERBATIM)
endif()

foreach(name ${viewer_pages})
  set(page ${viewer}/dist/${name}.html)
  if(NOT BRIO_VIEWER)
    set(page ${viewer}/src/without_viewer.html)
  endif()
  set(embedded ${PROJECT_BINARY_DIR}/${name}_template.cpp)
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DPAGE=${page} -DOUT=${embedded} -DFUNCTION=${name}_template
      -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${page} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    COMMENT "Embedding the page ${name}" VERBATIM)
  target_sources(brio_generated PRIVATE ${embedded})
endforeach()
