// What tests and benchmarks that train models share.
#pragma once

#include <initializer_list>
#include <string>

#include "espalier/base/settings.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/parser.h"

namespace espalier {

/// From "key=value" pairs.
inline Settings settings(std::initializer_list<const char*> pairs) {
  Settings s;
  for (const char* pair : pairs) s.set_pair(pair);
  return s;
}

/// The parser's part of a model file, to compare models by.
inline std::string bytes_of(const Parser& parser) {
  ModelWriter writer;
  writer.metadata = parser.save(writer, "");
  writer.metadata["kind"] = parser.about().kind;
  return writer.to_bytes();
}

/// A model file that load_parser reads.
inline std::string file_of(const Parser& parser) {
  ModelWriter writer;
  writer.metadata["model"] = save_part(parser, writer, "");
  return writer.to_bytes();
}

}  // namespace espalier
