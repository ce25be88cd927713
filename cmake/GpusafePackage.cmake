# What an installation has beside programs and libraries: pages, manual pages, completion,
# pkg-config; the packages that cpack makes; `uninstall`.
set(doc ${CMAKE_INSTALL_DATADIR}/doc/gpusafe)

# The pages in the layout of the sources, so that their links hold; the examples whole.
file(GLOB pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  *.md attrs/*.md checkers/*.md checkers/*/*.md plugin/*.md runtime/*.md tools/*/*.md test/*/*.md)
foreach(page IN LISTS pages ITEMS LICENSE)
  get_filename_component(folder ${page} DIRECTORY)
  install(FILES ${page} DESTINATION ${doc}/${folder})
endforeach()
install(DIRECTORY examples DESTINATION ${doc})

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(man ${PROJECT_BINARY_DIR}/man)
  set(make_man ${PROJECT_SOURCE_DIR}/tools/man/make_man.py)
  add_custom_command(OUTPUT ${man}/gpusafe.1
    COMMAND ${Python3_EXECUTABLE} ${make_man} $<TARGET_FILE:gpusafe_tool> ${man}
    DEPENDS gpusafe_tool ${make_man} VERBATIM)
  add_custom_target(gpusafe_man ALL DEPENDS ${man}/gpusafe.1)
  install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
endif()
install(FILES tools/completion/gpusafe.bash RENAME gpusafe
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/completion/_gpusafe DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

set(pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH GPUSAFE_PC_ROOT /${pkgconfig} /)
string(REGEX REPLACE "/$" "" GPUSAFE_PC_ROOT ${GPUSAFE_PC_ROOT})
configure_file(cmake/gpusafe.pc.in ${PROJECT_BINARY_DIR}/gpusafe.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gpusafe.pc DESTINATION ${pkgconfig})

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lib/cmake/gpusafe/gpusafe-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lib/cmake/gpusafe/gpusafe-config-version.cmake
        DESTINATION lib/cmake/gpusafe)

add_custom_target(uninstall VERBATIM COMMENT "Removing what was installed"
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
          -P ${PROJECT_SOURCE_DIR}/cmake/GpusafeUninstall.cmake)

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME gpusafe)
set(CPACK_PACKAGE_VENDOR "The gpusafe authors")
set(CPACK_PACKAGE_CONTACT "The gpusafe authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "proves CUDA kernels free of races and in bounds, at compile time")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# clang is run as a program, which no tool can see from the libraries.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "clang-${GPUSAFE_LLVM_VERSION}, libclang1-${GPUSAFE_LLVM_VERSION}, libz3-4, libjansson4")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++")
find_program(GPUSAFE_SHLIBDEPS dpkg-shlibdeps)
if(GPUSAFE_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
