// The layout is PKWARE's APPNOTE 6.3: for each file a local header and its bytes, then the central directory, then
// where that is.

#include "brio/output/frames/npy.hpp"

#include <cstring>
#include <fstream>
#include <zlib.h>

namespace brio {
namespace {

constexpr std::uint32_t kElsewhere = 0xffffffff;  // "look into the zip64 field"
constexpr std::uint16_t kVersion = 45;            // the first with zip64
constexpr std::uint16_t kFirstDay = 0x21;         // 1 January 1980

struct Member {
  std::string name;
  std::uint64_t offset = 0, size = 0;
  std::uint32_t crc = 0;
};

template <class... Numbers>
std::string packed(Numbers... numbers) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof(numbers)), ...);
  return bytes;
}

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// From "version needed" to the lengths of name and extra field, which local and central headers share.
std::string common_fields(const Member& member, u16 extra) {
  return packed(kVersion, u16{0}, u16{0}, u16{0}, kFirstDay, member.crc, kElsewhere, kElsewhere,
                static_cast<u16>(member.name.size()), extra);
}

std::string local_header(const Member& member) {
  return packed(u32{0x04034b50}) + common_fields(member, 20) + member.name +
         packed(u16{1}, u16{16}, member.size, member.size);
}

std::string central_header(const Member& member) {
  constexpr u32 kPlainFile = 0100644u << 16;
  return packed(u32{0x02014b50}, static_cast<u16>(3 << 8 | kVersion)) + common_fields(member, 28) +
         packed(u16{0}, u16{0}, u16{0}, kPlainFile, kElsewhere) + member.name +
         packed(u16{1}, u16{24}, member.size, member.size, member.offset);
}

std::string end_records(u64 members, u64 start, u64 length) {
  return packed(u32{0x06064b50}, u64{44}, kVersion, kVersion, u32{0}, u32{0}, members, members, length, start) +
         packed(u32{0x07064b50}, u32{0}, start + length, u32{1}) +
         packed(u32{0x06054b50}, u16{0}, u16{0}, static_cast<u16>(members), static_cast<u16>(members), kElsewhere,
                kElsewhere, u16{0});
}

}  // namespace

void write_zip(const std::filesystem::path& path, const std::vector<std::filesystem::path>& files) {
  write_whole_file(path, [&](OutputFile& zip) {
    u64 at = 0;
    std::string directory;
    for (const std::filesystem::path& file : files) {
      Member member{file.filename().string(), at};
      zip.write(local_header(member));
      append_file(zip, file, [&](std::string_view bytes) {
        member.crc = static_cast<u32>(
            crc32(member.crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
        member.size += bytes.size();
      });
      zip.seek(static_cast<long>(at));  // now that checksum and size are known
      zip.write(local_header(member));
      zip.seek(-1);
      at += local_header(member).size() + member.size;
      directory += central_header(member);
    }
    zip.write(directory);
    zip.write(end_records(files.size(), at, directory.size()));
  });
}

void extract_from_zip(const std::filesystem::path& zip, const std::filesystem::path& file) {
  // Members are stored as they are, one after the other, each with a local header of one layout.
  const std::string name = file.filename().string();
  const size_t fixed = local_header({}).size();
  std::ifstream in(zip, std::ios::binary);
  std::string header(fixed, '\0');
  for (u64 at = 0; in.seekg(static_cast<std::streamoff>(at)) && in.read(header.data(), 30);) {
    u16 name_length = 0;
    std::memcpy(&name_length, header.data() + 26, sizeof name_length);
    std::string found(name_length, '\0');
    u64 size = 0;
    if (header.compare(0, 4, "PK\3\4") != 0 || !in.read(found.data(), name_length) || !in.seekg(4, std::ios::cur) ||
        !in.read(reinterpret_cast<char*>(&size), sizeof size))
      break;
    const u64 begin = at + fixed + name_length;
    if (found == name) {
      write_whole_file(file, [&](OutputFile& out) { append_file_part(out, zip, begin, size); });
      return;
    }
    at = begin + size;
  }
  throw Error("{}: there is no {} in the archive", zip.string(), name);
}

}  // namespace brio
