# The viewer's program (viewer/dist/viewer.js, made by npm) as a C++ source file.
#
# trammel_embed_viewer(TARGET) adds it to the target. Node is not needed here: without the file, or
# with -DTRAMMEL_VIEWER=OFF, the library has an empty viewer and says so in its reports.

option(TRAMMEL_VIEWER "Put the viewer of viewer/dist into the library" ON)

function(trammel_embed_viewer target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/viewer_bundle.cpp)
  set(bundle ${PROJECT_SOURCE_DIR}/viewer/dist/viewer.js)
  if(NOT TRAMMEL_VIEWER OR NOT EXISTS ${bundle})
    set(bundle "")
    message(STATUS "Reports without viewer: viewer/dist/viewer.js is not there; ./dev build makes it")
  endif()
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DBUNDLE=${bundle} -DSOURCE=${source} -P ${script}
    DEPENDS ${bundle} ${script} VERBATIM)
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS -Wno-overlength-strings)
endfunction()
