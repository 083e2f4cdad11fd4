// Line charts as SVG: panels in rows, one legend, colours, markers and dashes that can be told apart in print.
//
//   Plot plot{.title = "LM", .panels = {{.title = "LM", .x_label = "l", .y_label = "LM"}}};
//   plot.panels[0].series.push_back({"ClusTree-LSAP", 0, {{2, 0.1}, {3, 0.2}}});
//   std::string svg = ToSvg(plot);   // a whole document, for a browser or a paper
//
// The text stays text: it can be searched, and is drawn in the reader's sans-serif font.
#pragma once

#include <string>
#include <vector>

namespace thicket {

struct PlotPoint {
  double x = 0;
  double y = 0;
  // Stands out from the others: Plot::filled says how.
  bool filled = false;
};

struct PlotSeries {
  std::string name;
  // Chooses colour, marker and dashes; the same number looks the same in every panel.
  size_t style = 0;
  std::vector<PlotPoint> points;
};

// A range that others reported, as a shaded band; as a dashed line where low and high are the same.
struct PlotBand {
  struct Range {
    double x = 0;
    double low = 0;
    double high = 0;
  };
  static constexpr size_t kGrey = ~size_t{0};

  std::string name;
  // That of the series it belongs to, or kGrey.
  size_t style = kGrey;
  std::vector<Range> ranges;
};

struct PlotPanel {
  std::string title;
  std::string x_label;
  std::string y_label;
  // A logarithmic axis, for values above 0.
  bool log_y = false;
  std::vector<PlotSeries> series;
  std::vector<PlotBand> bands;
  // The same for x, so that 5, 10 and 300 stand clear of each other.
  bool log_x = false;
};

struct Plot {
  std::string title;
  std::string subtitle;
  std::vector<PlotPanel> panels;
  // How many panels stand side by side; 0: all of them.
  size_t columns = 0;
  // What it means that the marker of a point is filled, for the legend; empty where none is.
  std::string filled = {};
};

std::string ToSvg(const Plot& plot);

// Round numbers that cover [low, high], about `count` of them: {0, 0.2, 0.4, 0.6}.
std::vector<double> LinearTicks(double low, double high, int count);
// The same on a logarithmic scale: powers of ten, with 2 and 5 where these are few. low must be above 0.
std::vector<double> LogTicks(double low, double high);

}  // namespace thicket
