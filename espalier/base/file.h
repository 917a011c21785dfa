// Reads and writes whole files; other processes never see a file half written. Tested by file_test.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace espalier {

/// Throws a run Error that names the file and the system's reason (missing, a directory, no permission).
std::string read_file(const std::string& file);

/// Writes all or nothing, through an AtomicFile. Throws a run Error.
void write_file(const std::string& file, std::string_view bytes);
/// The same for several pieces, one after the other.
void write_file(const std::string& file, std::span<const std::string_view> pieces);

/// Throws a run Error now, rather than after an hour of training, if `write_file` could not create `file`.
void check_writable(const std::string& file);

}  // namespace espalier
