# Writes the page PAGE as a C++ string, returned by FUNCTION, into OUT.
file(READ ${PAGE} html)
file(WRITE ${OUT} "#include \"brio/output/report_template.hpp\"

namespace brio {

std::string_view ${FUNCTION}() {
  static constexpr char kPage[] = R\"brio_page(${html})brio_page\";
  return {kPage, sizeof(kPage) - 1};
}

}  // namespace brio
")
