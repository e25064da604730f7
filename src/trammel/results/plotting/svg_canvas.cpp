#include "trammel/results/plotting/svg_canvas.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "trammel/results/file_kind.h"

namespace trammel::results::plotting {
namespace {

std::string hexadecimal(Color color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

/// Shortest text with at most two decimals.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        // Control characters are not allowed in XML.
        safe += static_cast<unsigned char>(c) < 0x20U ? ' ' : c;
    }
  }
  return safe;
}

}  // namespace

SvgCanvas::SvgCanvas(double width, double height)
    : body_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                        "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, 'Liberation "
                        "Sans', 'DejaVu Sans', sans-serif\">\n{2}\n",
                        number(width),
                        number(height),
                        xml_mark)) {}

void SvgCanvas::fill(const Rectangle& area, Color color) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                       number(area.left), number(area.top), number(area.width), number(area.height),
                       hexadecimal(color));
}

void SvgCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.size() < 2) return;
  body_ += R"(<polyline points=")";
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) body_ += ' ';
    body_ += number(points[i].x) + ',' + number(points[i].y);
  }
  body_ += fmt::format(R"(" fill="none" stroke="{}" stroke-width="{}" stroke-linejoin="round")",
                       hexadecimal(stroke.color), number(stroke.width));
  if (!stroke.dashes.empty()) {
    body_ += R"( stroke-dasharray=")";
    for (const double length : stroke.dashes) body_ += number(length) + ' ';
    body_.back() = '"';
  }
  body_ += "/>\n";
}

void SvgCanvas::dot(Point center, double radius, Color color) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", number(center.x),
                       number(center.y), number(radius), hexadecimal(color));
}

void SvgCanvas::text(Point position, std::string_view text, const TextStyle& style) {
  constexpr const char* anchors[] = {"start", "middle", "end"};
  body_ += fmt::format(R"(<text x="{}" y="{}" font-size="{}" fill="{}" text-anchor="{}")",
                       number(position.x), number(position.y), number(style.size),
                       hexadecimal(style.color), anchors[static_cast<int>(style.anchor)]);
  if (style.bold) body_ += R"( font-weight="bold")";
  if (style.upwards) {
    body_ +=
        fmt::format(R"x( transform="rotate(-90 {} {})")x", number(position.x), number(position.y));
  }
  body_ += '>';
  body_ += escaped(text);
  body_ += "</text>\n";
}

void SvgCanvas::begin_clip(const Rectangle& area) {
  ++clip_count_;
  body_ += fmt::format(
      "<clipPath id=\"clip{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" "
      "height=\"{4}\"/></clipPath>\n"
      "<g clip-path=\"url(#clip{0})\">\n",
      clip_count_, number(area.left), number(area.top), number(area.width), number(area.height));
}

void SvgCanvas::end_clip() {
  body_ += "</g>\n";
}

}  // namespace trammel::results::plotting
