#include "render/film.h"

#include <algorithm>
#include <cmath>

#include "render/programs.h"
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::cli {
namespace {

constexpr double most_frames = 5000.0;

}  // namespace

FilmKind film_kind(const std::filesystem::path& output) {
  const std::string ending = output.extension().string();
  if (ending.empty() || output.filename().empty()) return FilmKind::frames;
  if (ending == ".png") return FilmKind::picture;
  if (ending == ".gif" || ending == ".mp4" || ending == ".webm") return FilmKind::film;
  throw core::InputError(fmt::format("'{}' is no name for a picture or film", output.string()),
                         "end it in .png, .gif, .mp4 or .webm, or in / for a folder of frames");
}

std::vector<double> frame_times(double start, double end, const FilmTiming& timing) {
  constexpr double shortest = 2.0;
  constexpr double longest = 20.0;
  constexpr double comfortable = 8.0;
  const double length = std::max(0.0, end - start);
  const bool as_it_is = length >= shortest && length <= longest;
  const double speed = timing.speed > 0.0 ? timing.speed : as_it_is ? 1.0 : length / comfortable;
  const double count = length > 0.0 ? std::floor(length / speed * timing.fps + 1e-9) : 0.0;
  if (count > most_frames) {
    throw core::InputError(
        fmt::format("this film would have {:.0f} pictures", count),
        fmt::format("at most {:.0f} are made: raise --speed or lower --fps", most_frames));
  }
  std::vector<double> times;
  for (int k = 0; k <= static_cast<int>(count); ++k) {
    times.push_back(std::min(end, start + k * speed / timing.fps));
  }
  return times;
}

std::string frame_name(std::size_t number) {
  return fmt::format("frame_{:05}.png", number);
}

std::string find_ffmpeg() {
  std::string program = find_program({"ffmpeg"});
  if (program.empty()) {
    throw core::InputError("films are made by ffmpeg, which is not installed",
                           "install it (Debian, Ubuntu: apt install ffmpeg), or let the output end "
                           "in / to get the frames as PNG files");
  }
  return program;
}

void make_film(const std::string& ffmpeg,
               const std::filesystem::path& frames,
               double fps,
               const std::filesystem::path& output) {
  std::vector<std::string> words{ffmpeg,       "-y",
                                 "-loglevel",  "error",
                                 "-framerate", fmt::format("{:g}", fps),
                                 "-i",         (frames / "frame_%05d.png").string()};
  const auto add = [&](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  const std::string ending = output.extension().string();
  if (ending == ".gif") {
    add({"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer"});
  } else if (ending == ".mp4") {
    // Players want even sizes and this kind of colours.
    add({"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf",
         "18", "-movflags", "+faststart"});
  } else {
    add({"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "24", "-b:v", "0"});
  }
  words.push_back(output.string());
  if (run_program(words)) return;
  throw core::RunError(fmt::format("ffmpeg could not write '{}'", output.string()),
                       "make the frames by an output that ends in /, then run ffmpeg on them by "
                       "hand to see why");
}

}  // namespace trammel::cli
