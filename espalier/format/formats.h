// What the formats' files offer to registry.cc, and what their writers share.
#pragma once

#include <istream>
#include <memory>
#include <ostream>
#include <string>

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier {

std::unique_ptr<Reader> make_conllu_reader(std::istream&, ReaderOptions);
std::unique_ptr<Writer> make_conllu_writer(std::ostream&);
std::unique_ptr<Reader> make_conllx_reader(std::istream&, ReaderOptions);
std::unique_ptr<Writer> make_conllx_writer(std::ostream&);
std::unique_ptr<Reader> make_ptb_reader(std::istream&, ReaderOptions);
std::unique_ptr<Writer> make_ptb_writer(std::ostream&);
std::unique_ptr<Reader> make_text_reader(std::istream&, ReaderOptions);
std::unique_ptr<Writer> make_text_writer(std::ostream&);
std::unique_ptr<Writer> make_exact_text_writer(std::ostream&);
std::unique_ptr<Reader> make_horizontal_reader(std::istream&, ReaderOptions);
std::unique_ptr<Writer> make_horizontal_writer(std::ostream&);
std::unique_ptr<Reader> make_vertical_reader(std::istream&, ReaderOptions);
std::unique_ptr<Writer> make_vertical_writer(std::ostream&);
inline constexpr int kJsonVersion = 2;  ///< what is written; 1 is read too
std::unique_ptr<Reader> make_json_reader(std::istream&, ReaderOptions);
std::unique_ptr<Writer> make_json_writer(std::ostream&);
std::unique_ptr<Reader> make_aligned_reader(std::istream&, ReaderOptions);
std::unique_ptr<Writer> make_text_tree_writer(std::ostream&);
std::unique_ptr<Writer> make_svg_writer(std::ostream&, const WriterOptions&);
std::unique_ptr<Writer> make_html_writer(std::ostream&);

/// A writer that composes each sentence in a buffer of its own and hands it over in one piece.
class BufferedWriter : public Writer {
 public:
  explicit BufferedWriter(std::ostream& output) : output_(output) {}

  void write(const Sentence& sentence) final {
    buffer_.clear();
    append(sentence, buffer_);
    output_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    check();
  }
  void finish() final {
    output_.flush();
    check();
  }

 protected:
  virtual void append(const Sentence& sentence, std::string& out) = 0;

 private:
  void check() const {
    if (!output_) throw run_error("cannot write the output (is the disk full?)");
  }

  std::ostream& output_;
  std::string buffer_;
};

}  // namespace espalier
