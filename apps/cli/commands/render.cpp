// trammel render: pictures and films of results, without a window.
#include <charconv>
#include <filesystem>
#include <optional>
#include <thread>

#include "commands/commands.h"
#include "messages.h"
#include "output_argument.h"
#include "printing.h"
#include "render/browser.h"
#include "render/film.h"
#include "report_argument.h"
#include <fmt/format.h>

#include "trammel/core/printable.h"
#include "trammel/report/page.h"
#include "trammel/report/viewer_bundle.h"
#include "trammel/results/output_file.h"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

struct RenderOptions {
  std::string input;
  std::string output;
  std::string size = "1280x720";
  std::string camera;
  std::string theme = "light";
  std::vector<std::string> show;
  std::optional<double> time;
  double fps = 25.0;
  double speed = 0.0;
  bool force = false;
};

struct Size {
  int width = 0;
  int height = 0;
};

Size size_from(const std::string& text) {
  Size size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  const bool between = width.ec == std::errc() && width.ptr < end && *width.ptr == 'x';
  const auto height = between ? std::from_chars(width.ptr + 1, end, size.height) : width;
  constexpr int least = 64;
  constexpr int most = 8192;
  const auto possible = [](int pixels) { return pixels >= least && pixels <= most; };
  if (!between || height.ec != std::errc() || height.ptr != end || !possible(size.width) ||
      !possible(size.height)) {
    throw core::InputError(fmt::format("'{}' is no size of a picture", text),
                           fmt::format("give width and height in pixels, from {} to {}, e.g. "
                                       "--size 1280x720",
                                       least, most));
  }
  return size;
}

bool is_report(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".html" || ending == ".htm";
}

/// The report to draw: the given one, or a new one of the given results.
fs::path report_of(const RenderOptions& options, const fs::path& folder) {
  std::error_code error;
  if (is_report(options.input)) {
    if (!fs::is_regular_file(options.input, error)) {
      throw core::InputError(fmt::format("report '{}' does not exist", options.input),
                             "check the name and the folder");
    }
    return fs::absolute(options.input);
  }
  if (report::viewer_bundle().empty()) {
    throw core::InputError("this program was built without the viewer",
                           "install Node.js and npm, then run ./dev build in Trammel's folder");
  }
  core::Diagnostics warnings;
  const report::ThinnedRun run = read_with_scene(options.input, &warnings);
  print(warnings.list());
  fs::path page = folder / "report.html";
  report::write_report(page, run, report::notes_of(run.info));
  return page;
}

/// A file: address; everything but letters, digits and a few signs as %XX.
std::string address_of(const fs::path& page) {
  std::string address = "file://";
  for (const char c : page.string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        std::isalnum(byte) != 0 || std::string_view("/._-~").find(c) != std::string::npos;
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return address;
}

std::string settings(const RenderOptions& options) {
  std::string text = "#paused&bare&theme=" + options.theme;
  if (!options.camera.empty()) text += "&view=" + options.camera;
  if (!options.show.empty()) text += fmt::format("&show={}", fmt::join(options.show, ","));
  return text;
}

/// Waits until the viewer stands; says why when it cannot.
void wait_for_viewer(Browser& browser, const std::string& name) {
  constexpr int attempts = 1200;
  constexpr auto pause = std::chrono::milliseconds(50);
  for (int i = 0; i < attempts; ++i) {
    const std::string state =
        browser
            .evaluate(
                "(() => { const e = document.getElementById('trammel');"
                " if (document.readyState !== 'complete') return 'loading';"
                " if (!e) return 'foreign';"
                " if (!e.dataset.ready) return e.querySelector('.trammel-failure') ? "
                "'failed' : 'loading';"
                " return e.trammel.stage ? 'ready' : 'empty'; })()")
            .text();
    if (state == "ready") return;
    if (state == "foreign" || state == "failed") {
      throw core::InputError(fmt::format("'{}' is no report that can be drawn", name),
                             "give a results file, or a report made by 'trammel report'");
    }
    if (state == "empty") {
      throw core::InputError(fmt::format("'{}' tells nothing about the mechanism, or this Chromium "
                                         "has no WebGL",
                                         name),
                             "run the model again, or use another Chromium");
    }
    std::this_thread::sleep_for(pause);
  }
  throw core::RunError("the report does not appear in the browser", "open it by hand to see why");
}

/// A report that draws one moment after the other.
class Camera {
 public:
  Camera(const RenderOptions& options, Size size, const fs::path& page)
      : browser_(size.width, size.height) {
    browser_.open(address_of(page) + settings(options));
    wait_for_viewer(browser_, options.input);
    const core::JsonValue range = browser_.evaluate(
        "(() => { const p = document.getElementById('trammel').trammel.playback;"
        " return [p.start, p.end]; })()");
    start = range[0].number();
    end = range[1].number();
  }

  void take(double time, const fs::path& output, bool force) {
    browser_.evaluate(
        fmt::format("new Promise((done) => {{ const a = document.getElementById('trammel').trammel;"
                    " a.playback.seek({}); a.stage.draw();"
                    " requestAnimationFrame(() => requestAnimationFrame(() => done(0))); }})",
                    time));
    results::write_whole(output, results::FileKind::png, browser_.picture(), force);
  }

  double start = 0.0;
  double end = 0.0;

 private:
  Browser browser_;
};

void take_frames(Camera& camera, const RenderOptions& options, const fs::path& folder) {
  const std::vector<double> times =
      frame_times(options.time.value_or(camera.start), camera.end, {options.fps, options.speed});
  for (std::size_t k = 0; k < times.size(); ++k) {
    camera.take(times[k], folder / frame_name(k), options.force);
  }
  print_output("drew {} pictures from t = {:g} s to {:g} s\n", times.size(), times.front(),
               times.back());
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw core::InputError(
        fmt::format("folder '{}' cannot be made: {}", folder.string(), error.message()),
        "choose another name");
  }
}

int run_render(const RenderOptions& options) {
  const fs::path output =
      options.output.empty() ? default_output(options.input, ".png") : options.output;
  const Size size = size_from(options.size);
  const FilmKind kind = film_kind(output);
  const std::string ffmpeg = kind == FilmKind::film ? find_ffmpeg() : "";
  if (kind != FilmKind::frames) {
    results::check_output_path(output, results::picture_kind(output), options.force,
                               {options.input});
  }
  const TemporaryFolder work;
  const fs::path page = report_of(options, work.path());
  Camera camera(options, size, page);
  if (kind == FilmKind::picture) {
    camera.take(options.time.value_or(camera.start), output, options.force);
  } else if (kind == FilmKind::frames) {
    make_folder(output);
    take_frames(camera, options, output);
  } else {
    take_frames(camera, options, work.path());
    make_film(ffmpeg, work.path(), options.fps, output);
  }
  print_output("wrote {}\n", core::printable(output.string()));
  return exit_ok;
}

void add_view_options(Interface& interface, CLI::App* command, RenderOptions& options) {
  command->add_option("--size", options.size, "width and height in pixels")
      ->type_name("WxH")
      ->capture_default_str();
  CLI::Option* camera =
      command->add_option("--camera", options.camera,
                          "direction of view: iso, front, side or top (default: as report)");
  camera->type_name("NAME")->transform(
      CLI::IsMember({"iso", "front", "side", "top"}).description(""));
  interface.completions[camera] = words({"iso", "front", "side", "top"});
  CLI::Option* theme = command->add_option("--theme", options.theme, "light or dark");
  theme->type_name("NAME")->transform(CLI::IsMember({"light", "dark"}).description(""));
  interface.completions[theme] = words({"light", "dark"});
  CLI::Option* show = command->add_option("--show", options.show,
                                          "also draw: traces, axes, reactions, forces, labels");
  show->type_name("NAMES")->allow_extra_args(false)->delimiter(',');
  show->transform(
      CLI::IsMember({"traces", "axes", "reactions", "forces", "labels"}).description(""));
  interface.completions[show] = words({"traces", "axes", "reactions", "forces", "labels"});
}

}  // namespace

void add_render(Interface& interface) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command = add_command(
      interface, "Look at results", "render",
      "Draw the mechanism without opening a window: a picture, a film, or a folder of frames.\n"
      "Chromium draws; ffmpeg makes the films.",
      "trammel render crank.h5 --time 0.2             # writes crank.png\n"
      "trammel render crank.h5 -o crank.gif --size 640x360\n"
      "trammel render crank.html -o frames/ --fps 50 --speed 0.1   # slow motion, as PNG files");
  CLI::Option* input = command->add_option("RESULTS", options->input,
                                           "results file (.h5 or .csv), or a report (.html)");
  input->required();
  interface.completions[input] = files({"h5", "csv", "html"});
  CLI::Option* output = command->add_option(
      "-o,--output,--out", options->output,
      "what to write: .png, .gif, .mp4, .webm, or a folder (default: RESULTS.png)");
  output->type_name("FILE");
  interface.completions[output] = files({"png", "gif", "mp4", "webm"});
  command->add_option("-t,--time", options->time, "time of the picture, or start of the film, s")
      ->type_name("SECONDS");
  command->add_option("--fps", options->fps, "pictures per second of the film")
      ->type_name("NUMBER")
      ->check(CLI::Range(1.0, 240.0).description(""))
      ->capture_default_str();
  command
      ->add_option("--speed", options->speed,
                   "simulated seconds per second of the film (default: one that can be watched)")
      ->type_name("NUMBER")
      ->check(CLI::PositiveNumber.description(""));
  add_view_options(interface, command, *options);
  command->add_flag("-f,--force", options->force, "replace what exists");
  set_action(interface, command, options, run_render);
}

}  // namespace trammel::cli
