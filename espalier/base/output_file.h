// An AtomicFile as a stream: the file gets its name when commit() is called, or never. If the name ends in .gz, the
// content is compressed. Tested by output_file_test.cc.
#pragma once

#include <memory>
#include <ostream>
#include <streambuf>
#include <string>

namespace espalier {

class OutputFile {
 public:
  /// "-" = standard output. Throws a run Error if it cannot be written.
  explicit OutputFile(const std::string& file);
  /// If not committed, an old file stays unchanged.
  ~OutputFile();

  /// If writing fails (a full disk), << or flush throws a run Error that says why.
  std::ostream& stream() { return *stream_; }
  /// Call it after the last byte.
  void commit();

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
  std::unique_ptr<std::ostream> stream_;
};

}  // namespace espalier
