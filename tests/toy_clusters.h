// Classes for the words of tests/toy_treebank.h.
#pragma once

#include <string>

#include "espalier/base/file.h"
#include "tests/temporary_folder.h"

namespace espalier {

/// A file, which is there until the program ends.
inline const std::string& toy_clusters() {
  static const TemporaryFolder folder;
  static const std::string file = [] {
    const std::string name = folder / "clusters.txt";
    write_file(name,
               "000\tthe\t9\n000\ta\t8\n001\told\t7\n0100\tdog\t5\n0100\tcat\t5\n0101\thouse\t4\n0101\ttree\t3\n"
               "10\tsees\t9\n110\tin\t5\n111\t.\t9\n");
    return name;
  }();
  return file;
}

}  // namespace espalier
