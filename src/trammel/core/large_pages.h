// Large models in large pages.
//
// What is read from one end to the other at every step spans thousands of pages of 4 KiB once it
// has many megabytes, and processors neither remember as many pages nor fetch ahead across their
// ends. Linux has pages of 2 MiB for those who ask, and since 6.1 moves there what is allocated
// already.
#pragma once

namespace trammel::core {

/// Moves the memory that the process has allocated so far into large pages. A wish: where the
/// system does not grant it, nothing changes. Worth its time (about a second for each gigabyte) for
/// a model of many megabytes that many steps will go through.
void move_to_large_pages();

}  // namespace trammel::core
