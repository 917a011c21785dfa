#include "espalier/tree/misc.h"

#include <algorithm>

namespace espalier {

std::optional<std::string_view> misc_value(std::string_view misc, std::string_view name) {
  for (size_t begin = 0, end = 0; begin <= misc.size(); begin = end + 1) {
    end = std::min(misc.find('|', begin), misc.size());
    const std::string_view entry = misc.substr(begin, end - begin);
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) return entry.substr(name.size() + 1);
  }
  return std::nullopt;
}

void erase_misc(std::string& misc, std::string_view name) {
  std::string others;
  for (size_t begin = 0, end = 0; begin <= misc.size() && misc != "_"; begin = end + 1) {
    end = std::min(misc.find('|', begin), misc.size());
    const std::string_view entry = std::string_view(misc).substr(begin, end - begin);
    if (entry.empty() || entry.substr(0, entry.find('=')) == name) continue;
    if (!others.empty()) others += '|';
    others.append(entry);
  }
  misc = others.empty() ? "_" : std::move(others);
}

void set_misc(std::string& misc, std::string_view name, std::string_view value) {
  erase_misc(misc, name);
  if (misc == "_")
    misc.clear();
  else
    misc += '|';
  misc.append(name).append("=").append(value);
}

}  // namespace espalier
