# Writes the JSON files FILES as C++ strings into OUT.
set(rows "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND rows "      {\"${name}\", R\"brio_shape(${text})brio_shape\"},\n")
endforeach()
file(WRITE ${OUT} "#include \"brio/scene/named_shape_texts.hpp\"

namespace brio {

const std::vector<NamedShapeText>& named_shape_texts() {
  static const std::vector<NamedShapeText> texts = {
${rows}  };
  return texts;
}

}  // namespace brio
")
