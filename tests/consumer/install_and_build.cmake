# Installs the build tree BUILD_DIR below WORK_DIR and uses it as somebody else does: builds the project of the page
# docs/embedding.md, to the letter, and the consumer of one room beside this file, and runs both.
#   cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DPAGE=... -DWORK_DIR=... -DCOMPILER=... -DBUILD_TYPE=... -P install_and_build.cmake
set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# write_block(LANGUAGE FILE): the first block of that language on the page becomes a file.
function(write_block language file)
  file(READ ${PAGE} text)
  set(fence "\n```")
  string(FIND "${text}" "${fence}${language}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "${PAGE} has no block of ${language}")
  endif()
  string(LENGTH "${fence}${language}\n" skipped)
  math(EXPR begin "${begin} + ${skipped}")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "${fence}" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  file(WRITE ${file} "${text}\n")
endfunction()

function(build_project source build)
  run(${CMAKE_COMMAND} -S ${source} -B ${build} -G Ninja
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
  run(${CMAKE_COMMAND} --build ${build})
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
write_block(cmake ${WORK_DIR}/embedding/CMakeLists.txt)
write_block(cpp ${WORK_DIR}/embedding/bungee.cpp)
build_project(${WORK_DIR}/embedding ${WORK_DIR}/embedding_build)
run(${WORK_DIR}/embedding_build/bungee)
build_project(${SOURCE_DIR} ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer_of_core)
run(${prefix}/bin/trammel --help)
