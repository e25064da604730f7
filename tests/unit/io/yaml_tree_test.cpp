#include "trammel/io/yaml_tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace trammel::io::yaml_tree_test {
namespace {

Tree tree_of(const std::string& text) {
  core::Diagnostics diagnostics;
  Tree tree = parse_tree(text, "test", diagnostics);
  EXPECT_TRUE(diagnostics.list().empty());
  return tree;
}

std::string error_of(const std::string& text) {
  core::Diagnostics diagnostics;
  try {
    parse_tree(text, "test", diagnostics);
  } catch (const core::InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << text << " was accepted";
  return {};
}

TEST(YamlTree, KnowsThePlaceOfKeysAndValues) {
  const Tree tree = tree_of("a: 1\nb:\n  c: [x, 'y z']\n");
  const Entry* b = tree.root->find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->key_mark.line, 2);
  const Entry* c = b->value->find("c");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->key_mark.column, 3);
  ASSERT_EQ(c->value->entries.size(), 2U);
  EXPECT_TRUE(c->value->flow);
  EXPECT_FALSE(b->value->flow);
  const Node& y = *c->value->entries[1].value;
  EXPECT_TRUE(y.quoted);
  EXPECT_EQ(y.text, "y z");
  EXPECT_EQ(y.mark.line, 3);
  EXPECT_EQ(y.mark.column, 10);
}

TEST(YamlTree, ReportsDuplicateKeysWithPathAndKeepsTheFirst) {
  core::Diagnostics diagnostics;
  const Tree tree = parse_tree("a: {b: {c: 1, c: 2}}\na: 3\n", "test", diagnostics);
  ASSERT_EQ(diagnostics.list().size(), 2U);
  EXPECT_EQ(diagnostics.list()[0].path, "a.b.c");
  EXPECT_EQ(diagnostics.list()[0].column, 15);
  EXPECT_EQ(diagnostics.list()[1].path, "a");
  EXPECT_EQ(diagnostics.list()[1].line, 2);
  EXPECT_EQ(tree.root->find("a")->value->kind, NodeKind::map);
}

TEST(YamlTree, AliasesShareTheirTarget) {
  const Tree tree = tree_of("a: &x {b: 1}\nc: *x\n");
  const Node& alias = *tree.root->find("c")->value;
  EXPECT_EQ(alias.kind, NodeKind::alias);
  EXPECT_EQ(&resolved(alias), tree.root->find("a")->value);
  EXPECT_EQ(alias.anchor, "x");
}

TEST(YamlTree, RefusesWhatAModelFileCannotMean) {
  EXPECT_NE(error_of("a: 1\n---\nb: 2\n").find("second document"), std::string::npos);
  EXPECT_NE(error_of("a: !tag 1\n").find("tag"), std::string::npos);
  EXPECT_NE(error_of("[a]: 1\n").find("key"), std::string::npos);
  EXPECT_NE(error_of("a: &x [*x]\n").find("itself"), std::string::npos);
  EXPECT_NE(error_of("a: 'open\n").find("never closed"), std::string::npos);
  EXPECT_NE(error_of("a:\n\tb: 1\n").find("tab"), std::string::npos);
  EXPECT_NE(error_of(",,,").find("error"), std::string::npos);
}

TEST(YamlTree, IsBoundedInDepthAlsoThroughAliases) {
  EXPECT_NO_THROW(tree_of(std::string(60, '[') + std::string(60, ']')));
  EXPECT_NE(error_of(std::string(70, '[') + std::string(70, ']')).find("levels deep"),
            std::string::npos);
  std::string chain = "a0: &a0 [1]\n";
  for (int i = 1; i < 80; ++i) {
    chain += fmt::format("a{0}: &a{0} [*a{1}]\n", i, i - 1);
  }
  EXPECT_NE(error_of(chain).find("levels deep"), std::string::npos);
}

TEST(YamlTree, EmptyTextHasNoRoot) {
  EXPECT_EQ(tree_of("").root, nullptr);
  EXPECT_EQ(tree_of("# comment\n").root, nullptr);
}

}  // namespace
}  // namespace trammel::io::yaml_tree_test
