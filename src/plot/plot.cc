#include "plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include "base/text.h"

namespace thicket {

namespace {

constexpr double kPanelWidth = 400;
constexpr double kPanelHeight = 280;
constexpr double kLeft = 84;
constexpr double kRight = 22;
constexpr double kTop = 96;
constexpr double kBelowPanel = 58;
// From one row of panels to the next: with a title above the panel.
constexpr double kRowHeight = kPanelHeight + kBelowPanel + 40;
// What is left free above the highest point, as a share of the axis.
constexpr double kAir = 0.04;
constexpr double kLegendLine = 22;
constexpr double kLegendColumn = 250;
constexpr double kLegendLetter = 6.5;

// Okabe and Ito's colours, which stay apart for colour-blind readers; dashes and markers keep them apart in grey.
struct Style {
  std::string_view colour;
  std::string_view dashes;
};
constexpr std::array<Style, 6> kStyles = {{{"#0072b2", ""},
                                           {"#d55e00", "7 3"},
                                           {"#009e73", "2 3"},
                                           {"#aa4499", "9 3 2 3"},
                                           {"#000000", "4 4"},
                                           {"#8a6d00", ""}}};
constexpr std::string_view kGreyColour = "#666666";

std::string_view ColourOf(size_t style) {
  return style == PlotBand::kGrey ? kGreyColour : kStyles[style % kStyles.size()].colour;
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string TickText(double value) {
  if (std::abs(value) >= 10000 && value == std::floor(value)) {
    return (value < 0 ? "-" : "") + WithCommas(static_cast<uint64_t>(std::abs(value)));
  }
  return fmt::format("{:.6g}", value);
}

// Maps a panel's numbers to the drawing.
struct Axes {
  double left = 0;
  double top = 0;
  double x_low = 0;
  double x_high = 1;
  double y_low = 0;
  double y_high = 1;
  bool log_y = false;
  bool log_x = false;
  std::vector<double> x_ticks;
  std::vector<double> y_ticks;

  // x_low and x_high are on the scale already.
  double X(double x) const {
    return left + ((log_x ? std::log10(x) : x) - x_low) / (x_high - x_low) * kPanelWidth;
  }
  double Y(double y) const {
    const auto scale = [&](double v) { return log_y ? std::log10(std::max(v, y_low)) : v; };
    return top + kPanelHeight -
           (scale(y) - scale(y_low)) / (scale(y_high) - scale(y_low)) * kPanelHeight;
  }
};

class Drawing {
 public:
  template <typename... Values>
  void Add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  void Text(double x, double y, std::string_view anchor, int size, std::string_view text,
            std::string_view more = "") {
    Add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" font-size="{}"{}>{}</text>)"
        "\n",
        x, y, anchor, size, more, Escaped(text));
  }
  void Line(double x1, double y1, double x2, double y2, std::string_view colour, double width) {
    Add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="{}"/>)"
        "\n",
        x1, y1, x2, y2, colour, width);
  }
  // Hollow markers as a rule, so that two on the same place are both seen.
  void Marker(size_t style, double x, double y, bool filled = false) {
    const std::string_view colour = ColourOf(style);
    const std::string paint = fmt::format(R"(fill="{}" stroke="{}" stroke-width="1.8")",
                                          filled ? colour : "#ffffff", colour);
    if (style == PlotBand::kGrey) return Circle(x, y, paint);
    switch (style % kStyles.size()) {
      case 0:
        return Circle(x, y, paint);
      case 1:
        return Add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\" {}/>\n", x - 4, y - 4,
                   paint);
      case 2:
        return Polygon({{x, y - 5}, {x + 5, y + 4}, {x - 5, y + 4}}, paint);
      case 3:
        return Polygon({{x, y - 5.5}, {x + 5.5, y}, {x, y + 5.5}, {x - 5.5, y}}, paint);
      case 4:
        // A cross has nothing to fill.
        if (filled)
          return Polygon({{x - 4, y - 4}, {x + 4, y - 4}, {x + 4, y + 4}, {x - 4, y + 4}}, paint);
        Line(x - 4, y - 4, x + 4, y + 4, colour, 2);
        return Line(x - 4, y + 4, x + 4, y - 4, colour, 2);
      default:
        return Polygon({{x, y + 5}, {x + 5, y - 4}, {x - 5, y - 4}}, paint);
    }
  }
  void Circle(double x, double y, std::string_view paint) {
    Add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5.4\" {}/>\n", x, y, paint);
  }
  void Polygon(const std::vector<PlotPoint>& corners, std::string_view paint) {
    Add("<polygon points=\"{}\" {}/>\n", Coordinates(corners), paint);
  }
  void Path(const std::vector<PlotPoint>& points, std::string_view paint) {
    Add("<polyline points=\"{}\" fill=\"none\" {}/>\n", Coordinates(points), paint);
  }
  std::string& text() { return text_; }

 private:
  static std::string Coordinates(const std::vector<PlotPoint>& points) {
    std::string text;
    for (const PlotPoint& point : points) {
      text += fmt::format("{}{:.1f},{:.1f}", text.empty() ? "" : " ", point.x, point.y);
    }
    return text;
  }

  std::string text_;
};

std::string LinePaint(size_t style) {
  const Style& look = kStyles[style % kStyles.size()];
  std::string paint = fmt::format(R"(stroke="{}" stroke-width="2")", look.colour);
  if (!look.dashes.empty()) paint += fmt::format(R"( stroke-dasharray="{}")", look.dashes);
  return paint;
}

std::string BandPaint(size_t style) {
  return fmt::format(
      R"(fill="{0}" fill-opacity="0.14" stroke="{0}" stroke-width="1" stroke-dasharray="3 3")",
      ColourOf(style));
}

Axes AxesOf(const PlotPanel& panel, double left, double top) {
  Axes axes;
  axes.left = left;
  axes.top = top;
  axes.log_y = panel.log_y;
  std::set<double> xs;
  std::vector<double> ys;
  for (const PlotSeries& series : panel.series) {
    for (const PlotPoint& point : series.points) {
      xs.insert(point.x);
      ys.push_back(point.y);
    }
  }
  for (const PlotBand& band : panel.bands) {
    for (const PlotBand::Range& range : band.ranges) {
      ys.push_back(range.low);
      ys.push_back(range.high);
    }
  }
  if (panel.log_y) std::erase_if(ys, [](double y) { return y <= 0; });
  if (xs.empty()) xs = {0};
  if (ys.empty()) ys = {1};
  axes.x_ticks.assign(xs.begin(), xs.end());
  // Half a step of air on both sides, so that no marker sits on the frame.
  axes.log_x = panel.log_x && *xs.begin() > 0;
  const auto scale = [&](double x) { return axes.log_x ? std::log10(x) : x; };
  const double width = scale(*xs.rbegin()) - scale(*xs.begin());
  const double air = width > 0 ? width / static_cast<double>(xs.size()) / 2 : 1;
  axes.x_low = scale(*xs.begin()) - air;
  axes.x_high = scale(*xs.rbegin()) + air;
  const auto [low, high] = std::minmax_element(ys.begin(), ys.end());
  axes.y_ticks = panel.log_y ? LogTicks(*low, *high) : LinearTicks(std::min(0.0, *low), *high, 5);
  axes.y_low = axes.y_ticks.front();
  axes.y_high = axes.y_ticks.back();
  // No marker sits on the frame above, either.
  const double least_air = kAir * (axes.y_high - axes.y_low);
  if (!panel.log_y && axes.y_high - *high < least_air) axes.y_high = *high + least_air;
  return axes;
}

void DrawAxes(Drawing& out, const PlotPanel& panel, const Axes& axes) {
  const double bottom = axes.top + kPanelHeight;
  for (const double y : axes.y_ticks) {
    out.Line(axes.left, axes.Y(y), axes.left + kPanelWidth, axes.Y(y), "#dddddd", 1);
    out.Line(axes.left - 5, axes.Y(y), axes.left, axes.Y(y), "#333333", 1);
    out.Text(axes.left - 9, axes.Y(y) + 4, "end", 12, TickText(y));
  }
  for (const double x : axes.x_ticks) {
    out.Line(axes.X(x), bottom, axes.X(x), bottom + 5, "#333333", 1);
    out.Text(axes.X(x), bottom + 20, "middle", 12, TickText(x));
  }
  out.Add(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"none\" "
      "stroke=\"#333333\"/>\n",
      axes.left, axes.top, kPanelWidth, kPanelHeight);
  const double middle = axes.top + kPanelHeight / 2;
  out.Text(axes.left + kPanelWidth / 2, axes.top - 12, "middle", 14, panel.title,
           R"( font-weight="bold")");
  out.Text(axes.left + kPanelWidth / 2, bottom + 42, "middle", 13, panel.x_label);
  out.Text(axes.left - 66, middle, "middle", 13, panel.y_label,
           fmt::format(R"x( transform="rotate(-90 {:.1f} {:.1f})")x", axes.left - 66, middle));
}

void DrawPanel(Drawing& out, const PlotPanel& panel, double left, double top) {
  const Axes axes = AxesOf(panel, left, top);
  DrawAxes(out, panel, axes);
  for (const PlotBand& band : panel.bands) {
    std::vector<PlotPoint> outline;
    for (const auto& range : band.ranges) outline.push_back({axes.X(range.x), axes.Y(range.high)});
    for (auto range = band.ranges.rbegin(); range != band.ranges.rend(); ++range) {
      outline.push_back({axes.X(range->x), axes.Y(range->low)});
    }
    out.Polygon(outline, BandPaint(band.style));
  }
  for (const PlotSeries& series : panel.series) {
    std::vector<PlotPoint> line;
    for (const PlotPoint& point : series.points) {
      line.push_back({axes.X(point.x), axes.Y(point.y), point.filled});
    }
    out.Path(line, LinePaint(series.style));
    for (const PlotPoint& point : line) out.Marker(series.style, point.x, point.y, point.filled);
  }
}

// Every series and band once, in rows; returns how many rows.
size_t DrawLegend(Drawing& out, const Plot& plot, double width, double top) {
  const auto columns = static_cast<size_t>(std::max(1.0, std::floor((width - 40) / kLegendColumn)));
  std::set<std::string> seen;
  size_t count = 0;
  const auto place = [&](const std::string& name) {
    // A long name takes the columns beside it, or those of the next row.
    const double needed = 60 + kLegendLetter * static_cast<double>(name.size());
    const size_t span = std::min(columns, static_cast<size_t>(std::ceil(needed / kLegendColumn)));
    if (count % columns + span > columns) count += columns - count % columns;
    const size_t row = count / columns;
    const double x = 36 + static_cast<double>(count % columns) * kLegendColumn;
    const double y = top + static_cast<double>(row) * kLegendLine;
    count += span;
    out.Text(x + 48, y + 4, "start", 13, name);
    return PlotPoint{x, y};
  };
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotSeries& series : panel.series) {
      if (!seen.insert(series.name).second) continue;
      const PlotPoint at = place(series.name);
      out.Path({at, {at.x + 40, at.y}}, LinePaint(series.style));
      out.Marker(series.style, at.x + 20, at.y);
    }
  }
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotBand& band : panel.bands) {
      if (!seen.insert(band.name).second) continue;
      const PlotPoint at = place(band.name);
      out.Polygon(
          {{at.x, at.y - 6}, {at.x + 40, at.y - 6}, {at.x + 40, at.y + 6}, {at.x, at.y + 6}},
          BandPaint(band.style));
    }
  }
  if (!plot.filled.empty()) {
    const PlotPoint at = place(plot.filled);
    out.Marker(PlotBand::kGrey, at.x + 20, at.y, true);
  }
  return (count + columns - 1) / columns;
}

}  // namespace

std::vector<double> LinearTicks(double low, double high, int count) {
  if (high <= low) high = low + 1;
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough * 0.999) step = factor * power;
  }
  std::vector<double> ticks;
  const auto first = static_cast<int64_t>(std::floor(low / step + 1e-9));
  const auto last = static_cast<int64_t>(std::ceil(high / step - 1e-9));
  for (int64_t i = first; i <= last; ++i) ticks.push_back(static_cast<double>(i) * step);
  return ticks;
}

std::vector<double> LogTicks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(high) - 1e-9)));
  std::vector<double> ticks;
  for (int power = first; power <= last; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && (last - first > 2 || power == last)) continue;
      ticks.push_back(factor * std::pow(10, power));
    }
  }
  return ticks;
}

std::string ToSvg(const Plot& plot) {
  Drawing body;
  const size_t panels = std::max<size_t>(1, plot.panels.size());
  const size_t columns = plot.columns == 0 ? panels : std::min(plot.columns, panels);
  const size_t rows = (panels + columns - 1) / columns;
  // Wide enough for the title, too, with about as much for a letter.
  constexpr double kLetter = 11;
  const double needed = static_cast<double>(columns) * (kLeft + kPanelWidth + kRight);
  const double width = std::max(needed, kLetter * static_cast<double>(plot.title.size()));
  body.Text(width / 2, 30, "middle", 18, plot.title, R"( font-weight="bold")");
  body.Text(width / 2, 52, "middle", 13, plot.subtitle, R"( fill="#444444")");
  for (size_t i = 0; i < plot.panels.size(); ++i) {
    const double left = (width - needed) / 2 + kLeft +
                        static_cast<double>(i % columns) * (kLeft + kPanelWidth + kRight);
    const size_t row = i / columns;
    DrawPanel(body, plot.panels[i], left, kTop + static_cast<double>(row) * kRowHeight);
  }
  const double legend =
      kTop + static_cast<double>(rows - 1) * kRowHeight + kPanelHeight + kBelowPanel + 20;
  const auto lines = static_cast<double>(DrawLegend(body, plot, width, legend));
  const double height = legend + lines * kLegendLine + 4;
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, sans-serif\" "
             "fill=\"#000000\">\n<title>{2}</title>\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
             width, height, Escaped(plot.title)) +
         body.text() + "</svg>\n";
}

}  // namespace thicket
