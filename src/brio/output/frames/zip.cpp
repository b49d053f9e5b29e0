// The layout is PKWARE's APPNOTE 6.3: for each file a local header and its bytes, then the central directory, then
// where that is.

#include "brio/output/frames/npy.hpp"

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

}  // namespace brio
