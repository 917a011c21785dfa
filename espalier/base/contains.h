// Whether a short constant list contains a text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace espalier {

template <size_t N>
bool contains(const std::string_view (&list)[N], std::string_view item) {
  return std::ranges::find(list, item) != std::end(list);
}

}  // namespace espalier
