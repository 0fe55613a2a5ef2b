# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0

# Reads heliodor/LAYERS. Sets
#   HELIODOR_LAYER_COMPONENTS          every component, lowest first
#   HELIODOR_LAYER_USES_<component>    what that component may use
#   HELIODOR_ENABLED_COMPONENTS        those to build, by HELIODOR_COMPONENTS
# and stops when a line names a component that is not above it, or leaves out what a listed one
# uses.

# A change of LAYERS configures again.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS heliodor/LAYERS)
file(STRINGS ${PROJECT_SOURCE_DIR}/heliodor/LAYERS layer_lines REGEX "^[^#]")

set(HELIODOR_LAYER_COMPONENTS "")
foreach(line IN LISTS layer_lines)
  if(NOT line MATCHES "^([a-z_/]+) *:(.*)$")
    message(FATAL_ERROR "heliodor/LAYERS: cannot read \"${line}\" (expected \"component : uses\")")
  endif()
  set(component ${CMAKE_MATCH_1})
  string(STRIP "${CMAKE_MATCH_2}" uses)
  string(REGEX REPLACE " +" ";" uses "${uses}")
  if(uses STREQUAL "all")
    set(uses ${HELIODOR_LAYER_COMPONENTS})
  endif()
  foreach(used IN LISTS uses)
    if(NOT used IN_LIST HELIODOR_LAYER_COMPONENTS)
      message(FATAL_ERROR "heliodor/LAYERS: ${component} uses ${used}, which is not above it")
    endif()
    foreach(needed IN LISTS HELIODOR_LAYER_USES_${used})
      if(NOT needed IN_LIST uses)
        message(FATAL_ERROR "heliodor/LAYERS: ${component} uses ${used} but not its ${needed}")
      endif()
    endforeach()
  endforeach()
  list(APPEND HELIODOR_LAYER_COMPONENTS ${component})
  set(HELIODOR_LAYER_USES_${component} ${uses})
endforeach()

if(HELIODOR_COMPONENTS STREQUAL "all")
  set(HELIODOR_ENABLED_COMPONENTS ${HELIODOR_LAYER_COMPONENTS})
else()
  set(HELIODOR_ENABLED_COMPONENTS "")
  set(wanted ${HELIODOR_COMPONENTS})
  foreach(component IN LISTS HELIODOR_COMPONENTS)
    if(NOT component IN_LIST HELIODOR_LAYER_COMPONENTS)
      message(FATAL_ERROR "HELIODOR_COMPONENTS: heliodor/LAYERS does not list ${component}")
    endif()
    list(APPEND wanted ${HELIODOR_LAYER_USES_${component}})
  endforeach()
  foreach(component IN LISTS HELIODOR_LAYER_COMPONENTS)
    if(component IN_LIST wanted)
      list(APPEND HELIODOR_ENABLED_COMPONENTS ${component})
    endif()
  endforeach()
endif()
