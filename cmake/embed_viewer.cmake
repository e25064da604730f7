# cmake -DBUNDLE=viewer.js -DSOURCE=viewer_bundle.cpp -P embed_viewer.cmake
#
# Writes the text as raw string literals of 8 kB, which compilers read quickly. An empty BUNDLE gives an empty text.
set(piece_bytes 8000)
set(delimiter "trammel_viewer")
file(WRITE ${SOURCE} "// Made by cmake/embed_viewer.cmake from the viewer.
#include \"trammel/report/viewer_bundle.h\"

namespace trammel::report {

std::string_view viewer_bundle() {
  return std::string_view(\"\"\n")
if(BUNDLE)
  file(READ ${BUNDLE} text)
  string(LENGTH "${text}" size)
  set(at 0)
  while(at LESS size)
    string(SUBSTRING "${text}" ${at} ${piece_bytes} piece)
    file(APPEND ${SOURCE} "R\"${delimiter}(${piece})${delimiter}\"\n")
    math(EXPR at "${at} + ${piece_bytes}")
  endwhile()
endif()
file(APPEND ${SOURCE} ");
}

}  // namespace trammel::report
")
