#include "plot/plot.h"

#include <expat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>

#include <map>
#include <string>
#include <utility>

namespace thicket::plot_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// How often each element occurs, and all text; fails if it is no well-formed XML.
struct Elements {
  std::map<std::string, int> count;
  std::string text;
};

Elements Parse(const std::string& svg) {
  Elements elements;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &elements);
  XML_SetStartElementHandler(parser, [](void* to, const char* name, const char** /*attributes*/) {
    ++static_cast<Elements*>(to)->count[name];
  });
  XML_SetCharacterDataHandler(parser, [](void* to, const char* text, int length) {
    static_cast<Elements*>(to)->text.append(text, static_cast<size_t>(length));
  });
  EXPECT_EQ(XML_Parse(parser, svg.data(), static_cast<int>(svg.size()), 1), XML_STATUS_OK)
      << XML_ErrorString(XML_GetErrorCode(parser));
  XML_ParserFree(parser);
  return elements;
}

Plot Example() {
  Plot plot{"Loss & <time>", "100 records", {{"Loss by l", "l", "LM", false, {}, {}}}};
  plot.panels[0].series = {{"ClusTree", 0, {{2, 0.1}, {3, 0.25}}},
                           {"CToff", 1, {{2, 0.2}, {3, 0.3}}}};
  plot.panels[0].bands = {{"paper", 1, {{2, 0.2, 0.4}, {3, 0.3, 0.5}}}};
  return plot;
}

TEST(PlotTest, IsWellFormedAndShowsTitlesLabelsTicksAndLegend) {
  const Elements svg = Parse(ToSvg(Example()));
  for (const char* text : {"Loss & <time>", "100 records", "Loss by l", "\nl\n", "LM", "ClusTree",
                           "CToff", "paper", "0.1", "0.5", "\n2\n", "\n3\n"}) {
    EXPECT_THAT(svg.text, HasSubstr(text));
  }
  EXPECT_EQ(svg.count.at("svg"), 1);
  // Two series, each in the panel and in the legend.
  EXPECT_EQ(svg.count.at("polyline"), 4);
  EXPECT_EQ(svg.count.at("circle"), 3);
  // The band in the panel and in the legend.
  EXPECT_EQ(svg.count.at("polygon"), 2);
}

TEST(PlotTest, ASeriesInSeveralPanelsStandsInTheLegendOnce) {
  Plot plot = Example();
  plot.panels.push_back(plot.panels[0]);
  const std::string text = Parse(ToSvg(plot)).text;
  EXPECT_EQ(text.find("ClusTree"), text.rfind("ClusTree"));
}

TEST(PlotTest, NamesInTheLegendDoNotRunIntoEachOther) {
  Plot plot = Example();
  for (int i = 0; i < 3; ++i) plot.panels.push_back(plot.panels[0]);
  const std::string name = "a name that is longer than a column of the legend is wide";
  plot.panels[0].series[0].name = name;
  const std::string svg = ToSvg(plot);
  const auto x_of = [&](const std::string& text) {
    const size_t at = svg.rfind("<text x=\"", svg.rfind(">" + text + "<")) + 9;
    return std::stod(svg.substr(at));
  };
  EXPECT_GT(x_of("CToff") - x_of(name), 6 * static_cast<double>(name.size()));
}

TEST(PlotTest, PanelsStandInRowsBelowEachOther) {
  Plot plot = Example();
  for (int i = 0; i < 2; ++i) plot.panels.push_back(plot.panels[0]);
  const auto size_of = [&](size_t columns) {
    plot.columns = columns;
    double size[2] = {};
    const std::string svg = ToSvg(plot);
    EXPECT_EQ(sscanf(svg.c_str() + svg.find("width="), "width=\"%lf\" height=\"%lf\"", &size[0],
                     &size[1]),
              2);
    EXPECT_EQ(Parse(svg).count.at("polyline"), 3 * 2 + 2);
    return std::pair(size[0], size[1]);
  };
  const auto [wide, low] = size_of(0);
  const auto [narrow, high] = size_of(2);
  EXPECT_LT(narrow, wide);
  EXPECT_GT(high, low + 280);
  EXPECT_EQ(size_of(7), std::pair(wide, low));
}

TEST(PlotTest, NoMarkerSitsOnTheFrame) {
  Plot plot = Example();
  plot.panels[0].bands.clear();
  for (const double highest : {0.5, 0.49, 1.0, 7.0}) {
    plot.panels[0].series = {{"one", 0, {{2, highest}, {3, highest / 2}}}};
    const std::string svg = ToSvg(plot);
    double frame = 0;
    double marker = 0;
    ASSERT_EQ(sscanf(svg.c_str() + svg.find("<rect x="), "<rect x=\"%*f\" y=\"%lf", &frame), 1);
    ASSERT_EQ(sscanf(svg.c_str() + svg.find("<circle"), "<circle cx=\"%*f\" cy=\"%lf", &marker), 1);
    EXPECT_GT(marker, frame + 6) << highest;
  }
}

TEST(PlotTest, FilledMarkersHaveTheirColourAndAnEntryInTheLegend) {
  Plot plot = Example();
  plot.panels[0].bands.clear();
  plot.filled = "the best";
  for (size_t style = 0; style < 6; ++style) {
    plot.panels[0].series = {{"one", style, {{2, 0.1, true}, {3, 0.2}}}};
    const std::string svg = ToSvg(plot);
    EXPECT_THAT(Parse(svg).text, HasSubstr("the best"));
    size_t filled = 0;
    for (size_t at = svg.find("fill=\"#"); at != std::string::npos;
         at = svg.find("fill=\"#", at + 1)) {
      const std::string colour = svg.substr(at + 6, 7);
      if (svg.compare(at + 13, 10, "\" stroke=\"") == 0 && colour != "#ffffff") ++filled;
    }
    // The point and the legend.
    EXPECT_EQ(filled, 2U) << style;
  }
}

TEST(PlotTest, EmptyPanelsSinglePointsAndZerosOnALogarithmicAxisAreDrawn) {
  Plot plot = Example();
  plot.panels[0].series.clear();
  plot.panels[0].bands.clear();
  Parse(ToSvg(plot));
  plot.panels[0].log_y = true;
  Parse(ToSvg(plot));
  plot.panels[0].series = {{"one", 5, {{2, 0}, {2, 3}}}};
  const std::string svg = ToSvg(plot);
  Parse(svg);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(PlotTest, OnALogarithmicXAxisEqualRatiosAreEquallyFarApart) {
  Plot plot = Example();
  plot.panels[0].bands.clear();
  plot.panels[0].series = {{"one", 0, {{1, 1}, {10, 1}, {100, 1}}}};
  const auto middle_of = [&](bool log_x) {
    plot.panels[0].log_x = log_x;
    const std::string svg = ToSvg(plot);
    double x[3] = {};
    double y = 0;
    const size_t at = svg.find("points=\"") + 8;
    EXPECT_EQ(sscanf(svg.c_str() + at, "%lf,%lf %lf,%lf %lf", &x[0], &y, &x[1], &y, &x[2]), 5);
    return (x[1] - x[0]) / (x[2] - x[0]);
  };
  EXPECT_NEAR(middle_of(true), 0.5, 0.01);
  EXPECT_NEAR(middle_of(false), 0.09, 0.01);
  // There is no logarithm of 0.
  plot.panels[0].series[0].points[0].x = 0;
  plot.panels[0].log_x = true;
  EXPECT_THAT(ToSvg(plot), Not(HasSubstr("inf")));
}

TEST(PlotTest, TicksAreRoundAndCoverTheData) {
  EXPECT_THAT(LinearTicks(0, 0.47, 5),
              ElementsAre(0, testing::DoubleEq(0.1), testing::DoubleEq(0.2), testing::DoubleEq(0.3),
                          testing::DoubleEq(0.4), testing::DoubleEq(0.5)));
  EXPECT_THAT(LinearTicks(-0.3, 1, 5), ElementsAre(-0.5, 0, 0.5, 1));
  EXPECT_THAT(LinearTicks(3, 3, 5).size(), testing::Ge(2U));
  EXPECT_THAT(LogTicks(0.5, 3000), ElementsAre(testing::DoubleEq(0.1), 1, 10, 100, 1000, 10000));
  EXPECT_THAT(LogTicks(2, 30), ElementsAre(1, 2, 5, 10, 20, 50, 100));
}

}  // namespace
}  // namespace thicket::plot_test
