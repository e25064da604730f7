// Two columns of numbers out of a CSV file.
//
// Read strictly: a file either means one thing, which is read, or it is refused with the line, the
// text and what to do about it. What a spreadsheet of another country, a measuring program or an
// editor makes of numbers (1,5; "1,000"; 7 N; 0x10; an empty cell) is never guessed at.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trammel::io {

/// Numbers of the columns, from 1. Where nobody stated them, a file of more than two columns needs
/// titles: without these it may be one of two columns with decimal commas.
struct CsvChoice {
  std::size_t x = 1;
  std::size_t y = 2;
  bool stated = false;
};

struct CsvColumns {
  std::vector<double> x;
  std::vector<double> y;
};

/// `file` is the name for messages.
///
/// The text is UTF-8, with or without a byte order mark; lines end with \n or \r\n. Empty lines and
/// those that begin with # are left out. Cells are separated by semicolons, tabs or commas: by the
/// first of these that the first line with any of them has; a cell may stand in quotes. Every line
/// has as many cells as the others. The first line holds titles when no cell of it is a number or
/// begins like one; a single title is one of the whole file. A number is written with a decimal
/// point, an exponent where needed, and nothing else.
///
/// Throws core::InputError at the first line that is wrong. Words of the file are not quoted: it
/// may be one that has nothing to do with the model.
CsvColumns read_csv_columns(std::string_view text,
                            const std::string& file,
                            const CsvChoice& choice);

}  // namespace trammel::io
