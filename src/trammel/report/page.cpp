#include "trammel/report/page.h"

#include <fmt/format.h>

#include "trammel/core/base64.h"
#include "trammel/report/json_writer.h"
#include "trammel/report/viewer_bundle.h"
#include "trammel/results/output_file.h"

namespace trammel::report {
namespace {

constexpr const char* missing_viewer =
    "<main style=\"font:16px/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem\">"
    "<h1>This report has no viewer</h1><p>The program that wrote it was built without one. Install "
    "Node.js and npm, run <code>./dev build</code> in Trammel's source folder, then <code>trammel "
    "report RESULTS.h5 --force</code>. The data of the run are in this page nevertheless.</p>"
    "</main>";

std::string head(const std::string& title, const char* connections) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"trammel\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src {}\">\n"
      "<title>{}</title>\n</head>\n<body>\n",
      connections, escaped_html(title));
}

std::string body() {
  if (viewer_bundle().empty()) return missing_viewer;
  return fmt::format(
      "<div id=\"trammel\"></div>\n"
      "<noscript>This report is drawn by JavaScript, which is turned off in this browser. Nothing "
      "is loaded from elsewhere.</noscript>\n<script>{}</script>\n",
      viewer_bundle());
}

}  // namespace

std::string page(const std::string& title, const Pack& pack) {
  std::string text = head(title, "'none'");
  text += R"(<script type="application/json" id="trammel-header">)";
  text += pack.header;
  text += "</script>\n<script type=\"text/plain\" id=\"trammel-data\">";
  text += core::base64(pack.bytes);
  text += "</script>\n";
  text += body();
  return text += "</body>\n</html>\n";
}

std::string served_page(const std::string& title) {
  return head(title, "'self'") + body() + "</body>\n</html>\n";
}

void write_report(const std::filesystem::path& path,
                  const ThinnedRun& run,
                  const RunNotes& notes,
                  bool overwrite) {
  results::check_output_path(path, results::FileKind::html, overwrite);
  const std::string& name = run.info.model_name;
  results::write_whole(path, results::FileKind::html,
                       page(name.empty() ? path.stem().string() : name, make_pack(run, notes)),
                       overwrite);
}

void write_report(const std::filesystem::path& path,
                  const results::Table& table,
                  const RunNotes& notes,
                  bool overwrite) {
  results::check_output_path(path, results::FileKind::html, overwrite);
  write_report(path, thinned(table), notes, overwrite);
}

}  // namespace trammel::report
