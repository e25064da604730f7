# One folder of src/trammel = one namespace = one target.
#
#   trammel_folder(linear USES system core LINKS KLU::KLU [ALONE kkt_solver.cpp])
#
# makes the target trammel_linear (alias trammel::linear) from every .cpp below the folder. USES names
# other folders of this project and is the whole truth about layering: tools/check_layering reads it.
# ALONE names files that are compiled by themselves.

add_library(trammel_flags INTERFACE)
target_compile_features(trammel_flags INTERFACE cxx_std_20)
target_compile_definitions(trammel_flags INTERFACE EIGEN_MPL2_ONLY)

add_library(trammel_warnings INTERFACE)
target_compile_options(trammel_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion
  -Wno-missing-field-initializers)  # designated initialisers leave defaults alone on purpose
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Eigen's fixed-size maps trigger false positives of these two at -O3 in g++ 12.
  target_compile_options(trammel_warnings INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds)
endif()
# Less frequent collection of garbage: a tenth of the compiler's time, for a tenth more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(trammel_warnings INTERFACE "SHELL:--param ggc-min-expand=200"
    "SHELL:--param ggc-min-heapsize=1000000")
endif()
if(TRAMMEL_NATIVE)
  target_compile_options(trammel_flags INTERFACE -march=native)
endif()
if(TRAMMEL_SANITIZE STREQUAL "thread")
  target_compile_options(trammel_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(trammel_flags INTERFACE -fsanitize=thread)
elseif(TRAMMEL_SANITIZE)
  target_compile_options(trammel_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(trammel_flags INTERFACE -fsanitize=address,undefined)
endif()

# The headers every folder parses, compiled once.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp CONTENT "")
add_library(trammel_precompiled OBJECT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
set_target_properties(trammel_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(trammel_precompiled PRIVATE trammel_flags trammel_warnings Eigen3::Eigen fmt::fmt)
target_precompile_headers(trammel_precompiled PRIVATE
  <Eigen/Dense> <Eigen/SparseCore> <fmt/format.h> <string> <vector> <memory> <map>)

# trammel_unity(TARGET [KILOBYTES]): compiles files of a target together, about so many kilobytes of them at a time. What
# costs is less the code than the templates it makes of Eigen's, and files compiled together make them once.
# A compiler then takes up to two gigabytes. tools/check_names keeps the names of a target apart.
function(trammel_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TRAMMEL_UNITY} UNITY_BUILD_MODE GROUP)
  set(most 160)
  if(ARGC GREATER 1)
    set(most ${ARGV1})
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(together "")
  set(bytes 0)
  foreach(source IN LISTS sources)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(NOT alone)
      file(SIZE ${source} size)
      math(EXPR bytes "${bytes} + ${size}")
      list(APPEND together ${source})
    endif()
  endforeach()
  math(EXPR share "${bytes} / (1 + ${bytes} / (${most} * 1024)) + 1")
  set(bytes 0)
  foreach(source IN LISTS together)
    math(EXPR batch "${bytes} / ${share}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${batch})
    file(SIZE ${source} size)
    math(EXPR bytes "${bytes} + ${size}")
  endforeach()
endfunction()

function(trammel_folder name)
  cmake_parse_arguments(ARG "" "" "USES;LINKS;ALONE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.h)
  if(NOT sources)  # a room that is still empty
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/${name}_placeholder.cpp)
    file(CONFIGURE OUTPUT ${sources} CONTENT "")
  endif()
  add_library(trammel_${name} STATIC ${sources})
  add_library(trammel::${name} ALIAS trammel_${name})
  set_target_properties(trammel_${name} PROPERTIES
    EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON LINKER_LANGUAGE CXX)
  target_include_directories(trammel_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ARG_USES PREPEND trammel::)
  target_link_libraries(trammel_${name}
    PUBLIC trammel_flags Eigen3::Eigen ${ARG_USES} ${ARG_LINKS}
    PRIVATE $<BUILD_INTERFACE:trammel_warnings>)
  target_precompile_headers(trammel_${name} REUSE_FROM trammel_precompiled)
  list(TRANSFORM ARG_ALONE PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${name}/)
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  trammel_unity(trammel_${name})
  set_property(GLOBAL APPEND PROPERTY TRAMMEL_FOLDERS ${name})
endfunction()
