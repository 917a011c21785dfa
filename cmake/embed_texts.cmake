# Writes OUTPUT, a C++ source with the texts of the files FOLDER/*.ENDING as a table that the function NAME() gives:
# cmake -DFOLDER=... -DENDING=... -DNAME=... -DOUTPUT=... -P this.
file(GLOB files ${FOLDER}/*.${ENDING})
set(entries "")
set(count 0)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
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
