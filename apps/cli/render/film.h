// Which moments of a run are drawn, and what becomes of the pictures.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace trammel::cli {

enum class FilmKind { picture, frames, film };

/// By the name of the output: .png is one picture, .gif, .mp4 and .webm are films, and a name
/// without ending is a folder for frames. InputError for other endings.
FilmKind film_kind(const std::filesystem::path& output);

struct FilmTiming {
  double fps = 25.0;
  double speed = 0.0;  ///< simulated per shown second; 0: chosen, so that it can be watched
};

/// The times to draw, s. Runs of 2 s to 20 s are shown as fast as they are, others within 8 s.
/// InputError when these are more than 5000 pictures.
std::vector<double> frame_times(double start, double end, const FilmTiming& timing);

/// "frame_00012.png"
std::string frame_name(std::size_t number);

/// The path of ffmpeg; InputError with remedy when it is not installed.
std::string find_ffmpeg();

/// Makes a film of the frames in a folder. RunError when ffmpeg fails.
void make_film(const std::string& ffmpeg,
               const std::filesystem::path& frames,
               double fps,
               const std::filesystem::path& output);

}  // namespace trammel::cli
