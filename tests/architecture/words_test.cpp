// One spelling (American) and one citation key per paper (docs/notation.md) in code, scenes and pages.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kWordsRoot = BRIO_SOURCE_DIR;

/// All texts that people read: code, viewer, scenes, shapes, papers' items and pages.
std::vector<fs::path> texts() {
  const std::set<std::string> kinds = {".cpp", ".hpp", ".md", ".js", ".mjs", ".css", ".html", ".json", ".cmake", ".py"};
  std::vector<fs::path> found = {kWordsRoot / "README.md", kWordsRoot / "CHANGELOG.md", kWordsRoot / "CMakeLists.txt"};
  for (const char* root : {"src", "apps", "bench", "cmake", "docs", "fuzz", "papers", "scenes", "schemas", "shapes",
                           "tests", "tools", "viewer/src"})
    for (const auto& entry : fs::recursive_directory_iterator(kWordsRoot / root))
      if (entry.is_regular_file() && kinds.contains(entry.path().extension().string()) &&
          entry.path().filename() != "words_test.cpp")
        found.push_back(entry.path());
  return found;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Calls `act` with every word of a text, in lower case; "snake_case" and "camelCase" are two words each.
template <class Act>
void for_each_word(const std::string& text, Act&& act) {
  const auto is = [](int (*kind)(int), char c) { return kind(static_cast<unsigned char>(c)) != 0; };
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const bool begins = is(std::isupper, c) && i > 0 && is(std::islower, text[i - 1]);
    if ((begins || !is(std::isalpha, c)) && !word.empty()) {
      act(word);
      word.clear();
    }
    if (is(std::isalpha, c)) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
}

/// Parts of words that only British spelling has.
constexpr std::array<std::string_view, 37> kBritishParts = {
    "colour",    "behaviour", "neighbour", "favour",  "honour",    "labour",    "vapour",    "harbour",
    "endeavour", "centre",    "fibre",     "litre",   "theatre",   "calibre",   "metre",     "catalogue",
    "grey",      "defence",   "offence",   "licence", "modell",    "labelled",  "labelling", "travell",
    "levell",    "signall",   "cancelled", "artefac", "judgement", "anticlock", "manoeuvr",  "aluminium",
    "mould",     "sceptic",   "practis",   "whilst",  "amongst"};

/// Whole words of British spelling; "analyses" is a plural too, and fine.
const std::set<std::string>& british_words() {
  static const std::set<std::string> words = {
      "analyse", "analysed", "analysing", "catalyse", "learnt", "burnt",     "spelt",  "spoilt", "misspelt", "leant",
      "dreamt",  "tyre",     "tyres",     "cheque",   "plough", "programme", "fulfil", "enrol",  "skilful",  "storey"};
  return words;
}

/// Whether a verb in -ise (or its -isation) is written with s where America writes z.
bool ends_in_ise(std::string_view word) {
  static const std::set<std::string_view> always_s = {
      // what stands before "is" in words that have an s everywhere
      "adv",    "ra",    "r",     "prom", "comprom", "compr",  "no",     "prec",    "conc",
      "imprec", "exerc", "surpr", "gu",   "disgu",   "po",     "pra",    "appra",   "rev",
      "superv", "ar",    "dev",   "prem", "d",       "w",      "expert", "lik",     "enterpr",
      "prov",   "m",     "kno",   "cru",  "bru",     "improv", "telev",  "merchand"};
  for (const std::string_view end :
       {"ise", "ised", "ises", "ising", "isation", "isations", "iser", "isers", "isable"}) {
    if (!word.ends_with(end)) continue;
    const std::string_view stem = word.substr(0, word.size() - end.size());
    if (stem.ends_with("w") || always_s.contains(stem)) return false;  // "otherwise", "colwise", …
    return true;
  }
  return false;
}

bool is_british(const std::string& word) {
  if (british_words().contains(word) || ends_in_ise(word)) return true;
  return std::any_of(kBritishParts.begin(), kBritishParts.end(),
                     [&](std::string_view part) { return word.find(part) != std::string::npos; });
}

TEST(Words, spelling_is_american) {
  for (const char* word :
       {"colour", "neighbours", "centre", "grey", "linearise", "organisation", "modelling", "learnt"})
    EXPECT_TRUE(is_british(word)) << word;
  for (const char* word : {"color", "advise", "otherwise", "colwise", "raised", "analyses", "linearize", "centric"})
    EXPECT_FALSE(is_british(word)) << word;
  size_t seen = 0;
  for (const fs::path& file : texts())
    for_each_word(text_of(file), [&](const std::string& word) {
      ++seen;
      EXPECT_FALSE(is_british(word)) << file << ": \"" << word << "\"";
    });
  EXPECT_GT(seen, 200000u) << "the search itself is broken";
}

/// Calls act(line) for every line of the text that holds `part`: regular expressions are slow.
template <class Act>
void for_each_line_with(const std::string& text, std::string_view part, Act&& act) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1, end = std::min(text.find('\n', at), text.size());
    act(text.substr(begin, end - begin));
    at = end;
  }
}

/// The keys of the table in docs/notation.md: rows "| [KEY] | paper |".
std::set<std::string> citation_keys() {
  const std::string page = text_of(kWordsRoot / "docs/notation.md");
  const std::regex row(R"(\| \[([A-Z]+)\] \|)");
  std::set<std::string> keys;
  for (std::sregex_iterator match(page.begin(), page.end(), row), end; match != end; ++match) keys.insert((*match)[1]);
  return keys;
}

/// What is cited in a text: words in square brackets before "eq.", "section" …, after "figure 3 of", or in capitals
/// alone. Links of Markdown, units and indices of arrays are none.
std::vector<std::string> citations(const std::string& text) {
  static const std::regex located(R"(\[([A-Za-z][\w .,-]*)\],? (?:eq\.|eqs\.|equation|section|algorithm|appendix))");
  static const std::regex of(R"((?:equations?|sections?|algorithm|figures?|tables?) [\d, to]+ of \[([^\]\n]+)\])");
  static const std::regex capitals(R"((?:^|[^\w\])}])\[([A-Z]{2,}[A-Z-]*)\](?!\())");
  std::vector<std::string> found;
  for (const std::regex* pattern : {&located, &of, &capitals})
    for (std::sregex_iterator match(text.begin(), text.end(), *pattern), end; match != end; ++match)
      found.push_back((*match)[1]);
  return found;
}

TEST(Words, papers_are_cited_by_the_keys_of_the_notation_page) {
  const std::set<std::string> keys = citation_keys();
  EXPECT_EQ(keys, (std::set<std::string>{"SIERE", "ERE", "STABLE", "QN", "CONJAC"}));
  EXPECT_EQ(citations("as [foo] section 3 says"), std::vector<std::string>{"foo"});
  EXPECT_EQ(citations("a [link](x.md), [m/s], x[NN]"), std::vector<std::string>{});
  const std::regex author_and_year(R"([A-Z][\w ,.-]* (19|20)\d\d)");
  size_t seen = 0;
  for (const fs::path& file : texts()) {
    const std::string folder = fs::relative(file, kWordsRoot).begin()->string();
    if (folder != "src" && folder != "apps" && folder != "docs" && folder != "viewer" && folder != "scenes") continue;
    for_each_line_with(text_of(file), "[", [&](const std::string& line) {
      for (const std::string& key : citations(line)) {
        ++seen;
        EXPECT_TRUE(keys.contains(key) || std::regex_match(key, author_and_year)) << file << ": [" << key << "]";
      }
    });
  }
  EXPECT_GT(seen, 50u) << "the search itself is broken";
}

// The key stands in brackets, so that it can be searched for: "[SIERE] eq. 5", not "SIERE eq. 5".
TEST(Words, citation_keys_stand_in_brackets) {
  const std::regex bare(
      R"((?:^|[^\[\w])(SIERE|ERE|STABLE|QN|CONJAC)('s)? (eq\.|eqs\.|equation|section|algorithm)[ \d])");
  EXPECT_TRUE(std::regex_search("as SIERE eq. 5 has it", bare));
  for (const fs::path& file : texts()) {
    const std::string text = text_of(file);
    for (const char* key : {"ERE", "STABLE", "QN", "CONJAC"})
      for_each_line_with(text, key, [&](const std::string& line) {
        EXPECT_FALSE(std::regex_search(line, bare)) << file << ": " << line;
      });
  }
}

}  // namespace
