#include "trammel/results/annotate.h"

#include <fstream>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv/csv_text.h"
#include "trammel/results/hdf5/handle.h"
#include "trammel/results/reader.h"

namespace trammel::results {
namespace {

using hdf5::Handle;

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw core::RunError(fmt::format("nothing can be added to '{}'", path.string()),
                       "check its permissions and the room on the disk");
}

bool add_attribute(hid_t group, const std::string& name, const std::string& text) {
  if (H5Aexists(group, name.c_str()) > 0 && H5Adelete(group, name.c_str()) < 0) return false;
  const Handle type = hdf5::string_type(0);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(
      H5Acreate2(group, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const char* pointer = text.c_str();
  return attribute && H5Awrite(attribute.get(), type.get(), &pointer) >= 0;
}

void annotate_hdf5(const std::filesystem::path& path,
                   const std::map<std::string, std::string>& texts) {
  const hdf5::Silence silence;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose);
  const Handle group(file ? H5Gopen2(file.get(), "information", H5P_DEFAULT) : -1, H5Gclose);
  if (!group) fail(path);
  for (const auto& [name, text] : texts) {
    if (!add_attribute(group.get(), name, text)) fail(path);
  }
}

void annotate_csv(const std::filesystem::path& path,
                  const std::map<std::string, std::string>& texts) {
  std::ofstream file(path, std::ios::binary | std::ios::app);
  for (const auto& [name, text] : texts) file << "# more: " << csv::join({name, text}) << '\n';
  if (!file.flush()) fail(path);
}

}  // namespace

void annotate(const std::filesystem::path& path, const std::map<std::string, std::string>& texts) {
  if (kind_of(path) == FileKind::hdf5) {
    annotate_hdf5(path, texts);
  } else {
    annotate_csv(path, texts);
  }
}

}  // namespace trammel::results
