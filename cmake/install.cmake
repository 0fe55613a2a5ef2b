# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0

# What `cmake --install` and `cpack` give: the command, the headers, and one shared library with all
# components but the command's, which users find by find_package(heliodor) or pkg-config and link as
# heliodor::heliodor. Other libraries stay behind it: users need none of their headers.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The last component of LAYERS is the command.
set(installed_components ${HELIODOR_LAYER_COMPONENTS})
list(REMOVE_ITEM installed_components cli)

add_library(heliodor_library SHARED)
set_target_properties(
  heliodor_library
  PROPERTIES OUTPUT_NAME heliodor
             EXPORT_NAME heliodor
             VERSION ${PROJECT_VERSION}
             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(heliodor_library INTERFACE cxx_std_20)

set(headers ${PROJECT_SOURCE_DIR}/heliodor/heliodor.h)
foreach(component IN LISTS installed_components)
  string(REPLACE "/" "_" target heliodor_${component})
  get_target_property(component_headers ${target} HEADER_SET)
  list(APPEND headers ${component_headers})
  # All objects, whether another one calls them or not; the archive only for what it depends on.
  target_sources(heliodor_library PRIVATE $<TARGET_OBJECTS:${target}>)
  target_link_libraries(heliodor_library PRIVATE ${target})
endforeach()
target_sources(heliodor_library INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
                                                    FILES ${headers})

install(
  TARGETS heliodor_library
  EXPORT heliodor
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS heliodor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heliodor)
install(
  EXPORT heliodor
  FILE heliodorConfig.cmake
  NAMESPACE heliodor::
  DESTINATION ${package_dir})
# Versions 0.x promise nothing to each other.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heliodorConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heliodorConfigVersion.cmake DESTINATION ${package_dir})

# Both find the prefix from where they lie, so that an installed tree may be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH up_to_prefix /${pkgconfig_dir} /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/heliodor.pc.in ${PROJECT_BINARY_DIR}/heliodor.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/heliodor.pc DESTINATION ${pkgconfig_dir})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Heliodor contributors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)
