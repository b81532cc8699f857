/* The scope of a claim: made from data and options, the same in JSON, rule file and line. */
#include "greatest.h"
#include "rule/rule_json.h"
#include "support.h"

static irl_env *env;

static const char cells[] = "age,sex,smokes,y\n20,m,1,0\n30,f,0,0\n40,m,1,1\n50,f,1,1\n60,m,0,1\n"
                            "35,f,0,0\n45,m,1,1\n25,f,,0\n55,f,1,1\n22,m,0,0\n";

static irl_status read_table(const irl_options *options, irl_data **data) {
  make_folder("build/test-scope");
  save_text("build/test-scope/t.csv", cells);
  return irl_data_read(env, "build/test-scope/t.csv", options, data);
}

/* Through JSON and back nothing is lost. */
static enum greatest_test_res check_round(const irl_scope *scope) {
  irl_json json;
  irl_arena arena;
  irl_json_value *root;
  irl_scope *back;
  char *text, *difference;
  irl_json_init(&json, env);
  irl_scope_put(&json, NULL, true, scope);
  ASSERT_EQ(IRL_STATUS_OK, irl_json_take(&json, &text));
  ASSERT_EQ(text + strlen(text) - 1, strchr(text, '\n')); /* one line */
  irl_arena_init(&arena, &env->allocator);
  ASSERT_EQ(IRL_STATUS_OK, irl_json_parse(env, "t", text, strlen(text), &arena, &root));
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_get(&(irl_json_source){env, "t", text}, root, &back));
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_compare(env, scope, back, "here", "there", &difference));
  ASSERT_STR_EQ("", difference);
  irl_text_free(env, difference);
  back->M++;
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_compare(env, scope, back, "here", "there", &difference));
  ASSERT(!strncmp(difference, "M is ", 5));
  irl_text_free(env, difference);
  irl_scope_free(back);
  irl_arena_free(&arena);
  irl_text_free(env, text);
  PASS();
}

TEST a_line_names_what_was_sought(void) {
  irl_data *data;
  irl_scope *scope;
  char *line;
  irl_options options = options_of(env, "K", "1", "M", "2", "negations", "", "cuts", "all",
                                   "weights", "unit", "penalty", "0.01", "max_literals", "1",
                                   "min_sensitivity", "0.5", "forbid", "age >", NULL);
  ASSERT_EQ(IRL_STATUS_OK, read_table(&options, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_make(env, data, &options, &scope));
  ASSERT_EQ(data->n_features, scope->literals);
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_line(env, scope, &line));
  ASSERT(strstr(line, "rules of at most 1 clause of at most 2 of "));
  ASSERT(strstr(line, "(cuts all, negations, without forbidden ones), at most 1 literal in all, "
                      "sensitivity at least 0.5, unit weights, penalty 0.01"));
  CHECK_CALL(check_round(scope));
  irl_text_free(env, line);
  irl_scope_free(scope);
  irl_data_free(data);
  PASS();
}

TEST defaults_are_said_too(void) {
  irl_data *data;
  irl_scope *scope, *clause;
  irl_options options = options_of(env, "test", "0.3", "seed", "9007199254740993", NULL);
  ASSERT_EQ(IRL_STATUS_OK, read_table(&options, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_make(env, data, &options, &scope));
  ASSERT_STR_EQ("mdl:3", scope->cuts);
  ASSERT_STR_EQ("balanced", scope->weights);
  ASSERT_STR_EQ("false", scope->missing);
  ASSERT_EQ(9007199254740993, scope->seed);
  CHECK_CALL(check_round(scope));
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_make_clause(env, data, &options, 2, &clause));
  CHECK_CALL(check_round(clause));
  irl_scope_free(clause);
  irl_scope_free(scope);
  irl_data_free(data);
  PASS();
}

/* Cuts are of numbers: alleles are counted, and have none. */
TEST no_numbers_no_cuts(void) {
  irl_data *data;
  irl_scope *scope;
  irl_options options = options_of(env, "type", "g=snp", "negations", "", NULL);
  make_folder("build/test-scope");
  save_text("build/test-scope/g.csv", "g,c,y\n0,a,0\n1,b,1\n2,a,1\n0,b,0\n");
  ASSERT_EQ(IRL_STATUS_OK, irl_data_read(env, "build/test-scope/g.csv", &options, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_make(env, data, &options, &scope));
  ASSERT_FALSE(scope->cuts);
  irl_scope_free(scope);
  irl_data_free(data);
  PASS();
}

/* The scope goes with the rule into its file and back; a file without one is read as well. */
TEST rule_files_keep_the_scope(void) {
  irl_data *data;
  irl_fit_result *fit;
  irl_rule *back;
  char *text, *difference;
  const char *old = "{\"clauses\": [[\"a\"]]}", *wrong = "{\"scope\": {\"K\": 1}, \"clauses\": []}";
  irl_options options = options_of(env, "K", "1", "M", "1", "prove", "", NULL);
  ASSERT_EQ(IRL_STATUS_OK, read_table(&options, &data));
  ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &fit));
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_JSON, &text));
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse(env, "r", text, strlen(text), &back));
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_compare(env, irl_fit_rule(fit)->scope, back->scope, "here",
                                             "there", &difference));
  ASSERT_STR_EQ("", difference);
  irl_text_free(env, difference);
  irl_text_free(env, text);
  irl_rule_free(back);
  ASSERT_EQ(IRL_STATUS_OK, irl_fit_render(env, fit, IRL_FORMAT_TEXT, &text));
  ASSERT(strstr(text, "\noptimal among all rules of at most 1 clause of at most 1 of "));
  irl_text_free(env, text);
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse(env, "r", old, strlen(old), &back));
  ASSERT_FALSE(back->scope);
  irl_rule_free(back);
  ASSERT_EQ(IRL_STATUS_BAD_INPUT, irl_rule_parse(env, "r", wrong, strlen(wrong), &back));
  ASSERT(strstr(irl_env_error(env), "r:1:11: a scope needs"));
  irl_fit_free(fit);
  irl_data_free(data);
  PASS();
}

SUITE(scope) {
  RUN_TEST(a_line_names_what_was_sought);
  RUN_TEST(defaults_are_said_too);
  RUN_TEST(no_numbers_no_cuts);
  RUN_TEST(rule_files_keep_the_scope);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(scope);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
