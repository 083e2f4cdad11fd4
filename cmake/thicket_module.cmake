# thicket_module(NAME [DEPENDS module...] [TESTED_WITH module...] [LIBRARIES target...])
#
# One folder of src/ is one library target, thicket_NAME, with the alias thicket::NAME. Its sources are the .cc files of
# the folder and of those inside; x_test.cc goes to the folder's test program NAME_test, x_benchmark.cc to its benchmark program NAME_benchmark,
# and main.cc is left to whoever makes a program of the folder.
# DEPENDS are the arrows of ARCHITECTURE.md, and TESTED_WITH is what only tests use beyond them: tests/includes_test.py
# checks that no include leaves them.
#
# Tests are compiled several files at a time, since most of their time is that of the headers of GoogleTest and
# RapidCheck: what x_test.cc defines stands in the namespace thicket::x_test.
function(thicket_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;TESTED_WITH;LIBRARIES" ${ARGN})
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cc)
  set(tests ${sources})
  set(benchmarks ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER benchmarks INCLUDE REGEX "_benchmark\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_(test|benchmark)|/main)\\.cc$")

  set(kind PUBLIC)
  if(sources)
    add_library(thicket_${name} STATIC ${sources})
  else()
    add_library(thicket_${name} INTERFACE)
    set(kind INTERFACE)
  endif()
  add_library(thicket::${name} ALIAS thicket_${name})
  target_compile_features(thicket_${name} ${kind} cxx_std_20)
  target_include_directories(thicket_${name} ${kind} $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>)
  list(TRANSFORM arg_DEPENDS PREPEND thicket_)
  list(TRANSFORM arg_TESTED_WITH PREPEND thicket_)
  target_link_libraries(thicket_${name} ${kind} ${arg_DEPENDS} ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY THICKET_MODULES ${name})

  if(tests AND THICKET_TESTS)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE thicket_${name} ${arg_TESTED_WITH} thicket_testing)
    set_target_properties(${name}_test PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    target_compile_options(${name}_test PRIVATE ${THICKET_TEST_OPTIONS})
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600)
  endif()
  if(benchmarks AND THICKET_BENCHMARKS)
    add_executable(${name}_benchmark EXCLUDE_FROM_ALL ${benchmarks})
    target_link_libraries(${name}_benchmark PRIVATE thicket_${name} benchmark::benchmark_main)
    set_property(GLOBAL APPEND PROPERTY THICKET_BENCHMARK_PROGRAMS ${name}_benchmark)
  endif()
endfunction()
