# `cmake --install` puts down the libraries, their headers, the command line and what find_package(trammel)
# reads. Downstream links trammel::trammel (everything) or single folders, e.g. trammel::integrators.
include(CMakePackageConfigHelpers)

get_property(folders GLOBAL PROPERTY TRAMMEL_FOLDERS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trammel)

# The umbrella: every folder.
add_library(trammel_umbrella INTERFACE)
add_library(trammel::trammel ALIAS trammel_umbrella)
set_target_properties(trammel_umbrella PROPERTIES EXPORT_NAME trammel)
set_target_properties(trammel_flags PROPERTIES EXPORT_NAME flags)

# What plugins compile with: headers, and no library, since they use the functions of the program.
target_include_directories(trammel_plugin INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(trammel_plugin INTERFACE trammel_flags Eigen3::Eigen)
set_target_properties(trammel_plugin PROPERTIES EXPORT_NAME plugin)

foreach(folder IN LISTS folders)
  target_link_libraries(trammel_umbrella INTERFACE trammel_${folder})
  install(TARGETS trammel_${folder} EXPORT trammelTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/trammel/${folder}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trammel FILES_MATCHING PATTERN "*.h")
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/src/trammel/trammel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trammel)
install(TARGETS trammel_flags trammel_umbrella trammel_plugin EXPORT trammelTargets)
install(TARGETS trammel_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

install(EXPORT trammelTargets NAMESPACE trammel:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/trammelConfig.cmake.in
  ${PROJECT_BINARY_DIR}/trammelConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trammelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/trammelConfig.cmake ${PROJECT_BINARY_DIR}/trammelConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindKLU.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY_LICENCES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
