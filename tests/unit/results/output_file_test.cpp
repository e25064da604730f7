#include "trammel/results/output_file.h"

#include <map>
#include <vector>

#include "scratch.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
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
    {FileKind::matrices,
     "{\n  \"states\": [],\n  \"inputs\": [],\n  \"outputs\": [],\n  \"A\": []"},
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
    R"({"states": [], "A": [1]})",
    "notes on the trammel of Archimedes\n",
    "precious",
};

/// No file may have more bytes from now on; gives the limit of before.
rlimit limit_of_files(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{bytes, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  return before;
}

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

TEST(OutputFile, SaysWhenItsPathIsNotItsOwnAnyMore) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "a.html";
  const std::string page = beginnings.at(FileKind::html);
  const auto fate = [&](const auto& event) {
    std::filesystem::remove(path);
    OutputFile file(path, FileKind::html, false);
    file.open();
    file.write_at(0, page.data(), page.size());
    file.publish();
    event();
    return message_of<FileMoved>([&] { file.close(); });
  };
  EXPECT_EQ(fate([] {}), "");
  const std::string removed = fate([&] { std::filesystem::remove(path); });
  EXPECT_NE(removed.find("a.html' was removed while it was written"), std::string::npos) << removed;
  const std::string moved = fate([&] { std::filesystem::rename(path, folder / "b.html"); });
  EXPECT_NE(moved.find("b.html' now"), std::string::npos) << moved;
  EXPECT_EQ(contents_of(folder / "b.html"), page);
  const std::string replaced = fate([&] {
    std::filesystem::rename(path, folder / "c.html");
    put(path, "mine");
  });
  EXPECT_NE(replaced.find("c.html' now; another file stands there now"), std::string::npos)
      << replaced;
  EXPECT_EQ(contents_of(path), "mine");
  std::filesystem::create_directory(folder / "away");
  const std::string away = fate([&] { std::filesystem::rename(path, folder / "away/a.html"); });
  EXPECT_NE(away.find("was moved away"), std::string::npos) << away;
}

TEST(OutputFile, RefusesPathsThatCannotBe) {
  const ScratchFolder folder;
  std::filesystem::create_symlink("loop.h5", folder / "loop.h5");
  std::filesystem::create_symlink("nobody.h5", folder / "dangling.h5");
  const std::vector<std::pair<std::string, std::string>> cases{
      {std::string(256, 'a') + ".h5", "File name too long"},
      {std::string(256, 'a') + "/a.h5", "File name too long"},
      {"loop.h5", "Too many levels of symbolic links"},
      {"loop.h5/a.h5", "Too many levels of symbolic links"},
      {"dangling.h5", "is a link to a file that does not exist"},
      {std::string("a\0b.h5", 6), "names no file"}};
  for (const auto& [name, reason] : cases) {
    for (const bool overwrite : {false, true}) {
      const std::string told = message_of<core::InputError>(
          [&, &name = name] { write_whole(folder / name, FileKind::hdf5, "x", overwrite); });
      EXPECT_NE(told.find(reason), std::string::npos) << told;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(OutputFile, LooksAtTheFileThatItReplacesOnceMore) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "t.csv";
  put(path, "method,index,stabilisation,first\n");
  OutputFile file(path, FileKind::comparison, true);
  file.open();
  file.write_at(0, "method,index,stabilisation,\n", 28);
  put(path,
      "method,index,stabilisation,second\n");  // between the beginning and the end of the other
  std::string seen;
  file.publish([&] { seen = contents_of(path); });
  file.close();
  EXPECT_EQ(seen, "method,index,stabilisation,second\n");
  EXPECT_EQ(contents_of(path), "method,index,stabilisation,\n");
}

TEST(OutputFile, SaysThatThingsAreReadableOnlyWhereSomethingIs) {
  const ScratchFolder folder;
  const auto remedy_of_failure = [&](bool publish) {
    OutputFile file(folder / (publish ? "a.html" : "b.html"), FileKind::html, false);
    file.open();
    file.write_at(0, "<", 1);
    if (publish) file.publish();
    const rlimit before = limit_of_files(1);
    std::string remedy;
    try {
      file.write_at(1, "!doctype", 8);
    } catch (const core::RunError& error) {
      remedy = error.remedy();
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    return remedy;
  };
  EXPECT_EQ(remedy_of_failure(false), "raise the limit (ulimit -f), or store less");
  EXPECT_EQ(remedy_of_failure(true),
            "raise the limit (ulimit -f), or store less; what was stored so far is readable");
}

}  // namespace
}  // namespace trammel::results
