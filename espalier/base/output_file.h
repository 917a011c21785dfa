// A file as a stream, written as AtomicFile writes: it takes its name when commit() is called, or never. A name that
// ends in .gz is packed on the way. Tested by output_file_test.cc.
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
  /// Not committed: the old file, if there is one, stays as it was.
  ~OutputFile();

  /// What cannot be written (a full disk) throws a run Error that says why, out of << or flush.
  std::ostream& stream() { return *stream_; }
  /// Call it after the last byte.
  void commit();

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
  std::unique_ptr<std::ostream> stream_;
};

}  // namespace espalier
