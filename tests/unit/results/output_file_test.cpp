#include "trammel/results/output_file.h"

#include <map>
#include <vector>

#include "scratch.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trammel/core/diagnostic.h"

namespace trammel::results {
namespace {

using namespace testing;

/// One beginning for each kind.
const std::map<FileKind, std::string> beginnings{
    {FileKind::hdf5, "\x89HDF\r\n\x1a\n and so on: trammel results"},
    {FileKind::csv, "time,crank.angle\n# trammel results: 1\n0,1\n"},
    {FileKind::comparison, "method,index,stabilisation,step_s\n"},
    {FileKind::html, "<!doctype html>\n<meta name=\"generator\" content=\"trammel compare\">"},
    {FileKind::svg, "<svg xmlns=\"\">\n<!-- made by trammel -->\n"},
    {FileKind::png, "\x89PNG\r\n\x1a\n..."},
    {FileKind::gif, "GIF89a"},
    {FileKind::mp4, std::string("\0\0\0 ftypisom", 12)},
    {FileKind::webm, "\x1a\x45\xdf\xa3..."},
    {FileKind::glb, R"(glTF...{"asset":{"version":"2.0","generator":"trammel 0.1.0"}})"},
    {FileKind::vtk, "<?xml version=\"1.0\"?>\n<!-- made by trammel -->\n<VTKFile type=\"A\">"},
    {FileKind::matrices, "{\n  \"states\": []}"},
    {FileKind::model, "# a pendulum\ntrammel: 1\nname: pendulum\nbodies:\n"},
};

/// Made by others, or by hand.
const std::vector<std::string> foreign{
    "\x89HDF\r\n\x1a\n and so on",
    "time,load\n0,1\n",
    "<!DOCTYPE html>\n<html><title>trammel</title>",
    "<html>",
    "<?xml version=\"1.0\"?>\n<svg xmlns=\"\">",
    R"(glTF...{"asset":{"version":"2.0","generator":"Blender"}})",
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\">",
    "notes on the trammel of Archimedes\n",
    "precious",
};

TEST(FileKinds, AreToldApart) {
  for (const auto& [kind, beginning] : beginnings) {
    for (const auto& [other, ignored] : beginnings) {
      EXPECT_EQ(looks_like(other, beginning), other == kind)
          << description(other) << " / " << description(kind);
    }
  }
  EXPECT_FALSE(looks_like(FileKind::csv, "timetable: 1\n"));
}

TEST(FileKinds, CountOnlyWhatTrammelWrote) {
  for (const std::string& text : foreign) {
    for (const auto& [kind, beginning] : beginnings) {
      EXPECT_FALSE(looks_like(kind, text)) << text << " / " << description(kind);
    }
  }
  // Whatever a model file may include is rewritten as such, nothing else.
  EXPECT_TRUE(looks_like(FileKind::model_part, "bodies:\n  rod: {mass: 1}\n"));
  EXPECT_TRUE(looks_like(FileKind::model, "{\"space\": \"planar\", \"trammel\": 1}"));
  EXPECT_FALSE(looks_like(FileKind::model_part, foreign[1]));
}

TEST(FileKinds, AreKnownOfTableHeadingsOfAnyLength) {
  std::string heading = "time";
  for (int i = 0; i < 20000; ++i) heading += ",channel_with_a_long_name_" + std::to_string(i);
  const ScratchFolder folder;
  put(folder / "wide.csv", heading + "\n# trammel results: 1\n");
  EXPECT_NO_THROW(check_output_path(folder / "wide.csv", FileKind::csv, true));
}

TEST(OutputFile, ReplacesOnlyItsOwnKind) {
  const ScratchFolder folder;
  for (const auto& [kind, beginning] : beginnings) {
    for (const auto& [other, content] : beginnings) {
      put(folder / "out", content);
      const auto write = [&, wanted = kind, text = beginning] {
        write_whole(folder / "out", wanted, text, true);
      };
      if (kind == other) {
        EXPECT_NO_THROW(write());
      } else {
        EXPECT_THROW(write(), core::InputError);
        EXPECT_EQ(contents_of(folder / "out"), content);
      }
    }
    // Nothing is lost with an empty file, and nothing is replaced without asking.
    put(folder / "out", "");
    EXPECT_NO_THROW(write_whole(folder / "out", kind, beginning, true));
    EXPECT_THROW(write_whole(folder / "out", kind, beginning, false), core::InputError);
  }
}

TEST(OutputFile, NeverTakesThePlaceOfAnInput) {
  const ScratchFolder folder;
  put(folder / "in.csv", beginnings.at(FileKind::csv));
  std::filesystem::create_symlink(folder / "in.csv", folder / "link.csv");
  for (const char* name : {"in.csv", "link.csv"}) {
    const std::string message = message_of<core::InputError>(
        [&] { check_output_path(folder / name, FileKind::csv, true, {folder / "in.csv"}); });
    EXPECT_NE(message.find("into itself"), std::string::npos) << message;
  }
}

TEST(OutputFile, IsLockedWhileItLives) {
  const ScratchFolder folder;
  const auto path = folder / "a.h5";
  const std::string& content = beginnings.at(FileKind::hdf5);
  {
    OutputFile file(path, FileKind::hdf5, false);
    file.open();
    file.write_at(0, content.data(), content.size());
    file.publish();
    const std::string message =
        message_of<core::InputError>([&] { write_whole(path, FileKind::hdf5, content, true); });
    EXPECT_NE(message.find("is being written by another run"), std::string::npos) << message;
    // Others may read: the HDF5 library asks for this lock.
    const int reader = ::open(path.c_str(), O_RDONLY);
    EXPECT_EQ(::flock(reader, LOCK_SH | LOCK_NB), 0);
    ::close(reader);
  }
  EXPECT_NO_THROW(write_whole(path, FileKind::hdf5, content, true));
}

TEST(OutputFile, BegunTwiceIsPublishedOnce) {
  const ScratchFolder folder;
  const std::string& content = beginnings.at(FileKind::hdf5);
  OutputFile first(folder / "a.h5", FileKind::hdf5, true);
  OutputFile second(folder / "a.h5", FileKind::hdf5, true);
  for (OutputFile* file : {&first, &second}) {
    file->open();
    file->write_at(0, content.data(), content.size());
  }
  first.publish();
  EXPECT_THROW(second.publish(), core::InputError);
}

TEST(OutputFile, LeavesNothingBehindWhenItsWriterIsKilled) {
  const ScratchFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    OutputFile file(folder / "a.h5", FileKind::hdf5, false);
    file.open();
    file.write_at(0, "beginning", 9);
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(OutputFile, IsNeverAStandardStream) {
  // As a program that was started with all three closed; Python is such a one now and then.
  const ScratchFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    for (int stream = 0; stream < 3; ++stream) ::close(stream);
    OutputFile file(folder / "a.csv", FileKind::csv, false);
    file.open();
    file.write_at(0, "time\n", 5);
    file.publish();
    for (int stream = 0; stream < 3; ++stream) {
      if (::write(stream, "x", 1) > 0) ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(contents_of(folder / "a.csv"), "time\n");
}

TEST(OutputFile, WaitsForNobodyWhoHasLockedTheFolderOrTheFile) {
  const ScratchFolder folder;
  const std::string& content = beginnings.at(FileKind::hdf5);
  put(folder / "a.h5", content);
  const int whole = ::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY);
  const int file = ::open((folder / "a.h5").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(whole, LOCK_EX), 0);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  ::alarm(20);  // ends a program that waits
  EXPECT_NO_THROW(write_whole(folder / "a.h5", FileKind::hdf5, content, true));
  EXPECT_NO_THROW(write_whole(folder / "b.h5", FileKind::hdf5, content, false));
  ::alarm(0);
  ::close(whole);
  ::close(file);
}

TEST(OutputFile, OfAModelKeepsItsPermissions) {
  const ScratchFolder folder;
  put(folder / "a.yaml", "name: a\n");
  ::chmod((folder / "a.yaml").c_str(), 0640);
  rewrite_model(folder / "a.yaml", "name: b\n");
  EXPECT_EQ(contents_of(folder / "a.yaml"), "name: b\n");
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a.yaml").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

}  // namespace
}  // namespace trammel::results
