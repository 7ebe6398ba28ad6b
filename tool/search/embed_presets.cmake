# PRESETS (a list of .json files) -> OUTPUT, a C++ table of (name, text).
set(table "")
foreach(preset IN LISTS PRESETS)
  get_filename_component(name ${preset} NAME_WE)
  file(READ ${preset} text)
  string(APPEND table "    {\"${name}\", R\"json(${text})json\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"tool/search/presets.h\"

namespace hone::search {

const std::vector<Preset>& presets() {
  static const std::vector<Preset> table{
${table}  };
  return table;
}

}  // namespace hone::search
")
