// Small text jobs that messages and parsers share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thicket {

// 1234567 -> "1,234,567".
std::string WithCommas(uint64_t number);

// The candidate nearest to `word` by edit distance, when it is near enough to be a likely typing mistake.
std::optional<std::string> Nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

// The whole text as a finite decimal number, or nothing.
std::optional<double> ParseNumber(std::string_view text);

// The shortest decimal text that reads back as the same number: 5 -> "5", 0.1 -> "0.1".
std::string NumberText(double number);

// For readers: whole numbers exactly, others with seven digits. 25346126 -> "25,346,126", 13.0 / 3 -> "4.333333".
std::string FigureText(double number);

std::string_view Trim(std::string_view text);

// Whether the bytes are well-formed UTF-8 (no overlong forms, no surrogates); `position` is the first bad byte.
bool IsUtf8(std::string_view bytes, size_t* position = nullptr);

}  // namespace thicket
