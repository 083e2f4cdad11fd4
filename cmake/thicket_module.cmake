# thicket_batches(RESULT FOLDER SIZE source...)
#
# Writes files to FOLDER that include up to SIZE sources each, none of which defines a name of another one, and sets RESULT
# to their names. Unlike CMake's own unity builds these files name no folder of this machine, so that what was compiled in
# one checkout serves all others (ccache).
function(thicket_batches result folder size)
  set(sources)
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH source ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    list(APPEND sources ${source})
  endforeach()
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/batches.py --size ${size} ${sources}
                  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE batches RESULT_VARIABLE status)
  if(status)
    message(FATAL_ERROR "scripts/batches.py must tell which sources are compiled together, but failed")
  endif()
  string(STRIP "${batches}" batches)
  string(REPLACE ";" "|" batches "${batches}")
  string(REPLACE "\n" ";" batches "${batches}")
  set(files)
  set(number 0)
  foreach(batch IN LISTS batches)
    string(REPLACE "|" "\"\n#include \"" text "#include \"${batch}\"\n")
    set(file ${folder}/batch_${number}.cc)
    file(GENERATE OUTPUT ${file} CONTENT "${text}")
    list(APPEND files ${file})
    math(EXPR number "${number} + 1")
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# thicket_module(NAME [HEAVY_TESTS] [DEPENDS module...] [TESTED_WITH module...] [LIBRARIES target...])
#
# One folder of src/ is one library target, thicket_NAME, with the alias thicket::NAME. Its sources are the .cc files of
# the folder and of those inside; x_test.cc goes to the folder's test program NAME_test, x_benchmark.cc to its benchmark
# program NAME_benchmark, and main.cc is left to whoever makes a program of the folder.
# DEPENDS are the arrows of ARCHITECTURE.md, and TESTED_WITH is what only tests use beyond them: tests/includes_test.py
# checks that no include leaves them.
#
# Tests are compiled several files at a time, since most of their time is that of the headers of GoogleTest and
# RapidCheck: what x_test.cc defines stands in the namespace thicket::x_test. They are not optimized unless they are
# HEAVY_TESTS, whose naive references take longer to run than to optimize.
function(thicket_module name)
  cmake_parse_arguments(arg "HEAVY_TESTS" "" "DEPENDS;TESTED_WITH;LIBRARIES" ${ARGN})
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cc)
  set(tests ${sources})
  set(benchmarks ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER benchmarks INCLUDE REGEX "_benchmark\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_(test|benchmark)|/main)\\.cc$")

  set(kind PUBLIC)
  if(sources AND THICKET_BATCH_SOURCES)
    # What a source defines may change, and with it which ones can be compiled together.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
    thicket_batches(sources ${CMAKE_CURRENT_BINARY_DIR}/${name} 8 ${sources})
  endif()
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
    thicket_batches(batches ${CMAKE_CURRENT_BINARY_DIR}/${name}_test 10 ${tests})
    add_executable(${name}_test ${batches})
    target_link_libraries(${name}_test PRIVATE thicket_${name} ${arg_TESTED_WITH} thicket_testing)
    target_compile_options(${name}_test PRIVATE $<IF:$<BOOL:${arg_HEAVY_TESTS}>,-O1,-O0> ${THICKET_TEST_OPTIONS})
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 COST $<IF:$<BOOL:${arg_HEAVY_TESTS}>,60,10>)
  endif()
  if(benchmarks AND THICKET_BENCHMARKS)
    add_executable(${name}_benchmark EXCLUDE_FROM_ALL ${benchmarks})
    target_link_libraries(${name}_benchmark PRIVATE thicket_${name} benchmark::benchmark_main)
    set_property(GLOBAL APPEND PROPERTY THICKET_BENCHMARK_PROGRAMS ${name}_benchmark)
  endif()
endfunction()
