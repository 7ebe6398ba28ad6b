# FILES (a list) -> OUTPUT, a C++ table of (name, text) behind hone::search::FUNCTION().
set(table "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND table "    {\"${name}\", R\"~text~(${text})~text~\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"tool/search/text/embedded_text.h\"

namespace hone::search {

const std::vector<EmbeddedText>& ${FUNCTION}() {
  static const std::vector<EmbeddedText> table{
${table}  };
  return table;
}

}  // namespace hone::search
")
