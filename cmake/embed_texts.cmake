# Writes OUTPUT, a C++ source with the texts of the files *.ENDING in FOLDER as a table that the function NAME() gives, by
# their names, which of those in a sub-folder begin with its name ("paper/l2s"):
# cmake -DFOLDER=... -DENDING=... -DNAME=... -DOUTPUT=... -P this.
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*.${ENDING})
set(entries "")
set(count 0)
foreach(file ${files})
  string(REGEX REPLACE "\\.[^/]*$" "" name ${file})
  file(READ ${FOLDER}/${file} text)
  string(APPEND entries "    {\"${name}\", R\"text(${text})text\"},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Generated from *.${ENDING}.
#include <array>

#include \"espalier/base/builtin_texts.h\"

namespace espalier {
namespace {

constexpr std::array<BuiltinText, ${count}> kTexts = {{
${entries}}};

}  // namespace

std::span<const BuiltinText> ${NAME}() { return kTexts; }

}  // namespace espalier
")
