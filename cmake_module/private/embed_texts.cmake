# FILES (a list) -> OUTPUT, a C++ table of (name, text) behind NAMESPACE::FUNCTION().
set(table "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND table "    {\"${name}\", R\"~text~(${text})~text~\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include <vector>

#include \"tool/base/embedded_text.h\"

namespace ${NAMESPACE} {

const std::vector<hone::EmbeddedText>& ${FUNCTION}();
const std::vector<hone::EmbeddedText>& ${FUNCTION}() {
  static const std::vector<hone::EmbeddedText> table{
${table}  };
  return table;
}

}  // namespace ${NAMESPACE}
")
