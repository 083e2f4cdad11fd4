# What `cmake --install` puts in place: the command, the libraries, the public headers, and a package that
# find_package(thicket) finds. A program outside links thicket::engine, which brings the rest; thicket::survey where it
# proposes policies, and thicket::experiment for the experiments.
#
# tests/install_test.sh installs to an empty folder and builds examples/ against it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Headers that a program outside may include, relative to src/: docs/library.md describes each. They include no others, and
# the command includes nothing else (tests/includes_test.py).
set(THICKET_PUBLIC_HEADERS
    base/arrow_abi.h
    base/memory.h
    base/progress.h
    base/result.h
    base/stop.h
    base/text.h
    base/value_tree.h
    engine/assess.h
    engine/convert.h
    engine/explore.h
    engine/levels.h
    engine/plan.h
    engine/records.h
    engine/tables.h
    engine/taxonomies.h
    engine/thicket.h
    experiment/experiment.h
    generate/generate.h
    io/arrow/arrow_table.h
    io/arrow/table_builder.h
    io/file/remove_temporaries.h
    survey/propose.h)

function(thicket_install)
  get_property(modules GLOBAL PROPERTY THICKET_MODULES)
  list(REMOVE_ITEM modules cli)
  foreach(module IN LISTS modules)
    set_target_properties(thicket_${module} PROPERTIES EXPORT_NAME ${module})
    install(TARGETS thicket_${module} EXPORT thicket_targets
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
            INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/thicket)
  endforeach()
  foreach(header IN LISTS THICKET_PUBLIC_HEADERS)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/thicket/${folder})
  endforeach()
  if(TARGET thicket)
    install(TARGETS thicket RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()

  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/thicket)
  install(EXPORT thicket_targets NAMESPACE thicket:: FILE thicketTargets.cmake DESTINATION ${package})
  configure_package_config_file(cmake/thicketConfig.cmake.in ${PROJECT_BINARY_DIR}/thicketConfig.cmake
                                INSTALL_DESTINATION ${package})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/thicketConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/thicketConfig.cmake ${PROJECT_BINARY_DIR}/thicketConfigVersion.cmake
          cmake/Findutf8proc.cmake DESTINATION ${package})
endfunction()
