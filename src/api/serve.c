/* What the members of a team but the first do: one call after the other. */
#include "clause/divided.h"
#include "learn/choose.h"

static irl_status answer(irl_env *env, irl_team_code code, irl_message *message) {
  switch (code) {
  case IRL_TEAM_HELLO:
    return irl_team_serve_hello(env, message);
  case IRL_TEAM_READ:
  case IRL_TEAM_COPY:
  case IRL_TEAM_COLUMNS:
  case IRL_TEAM_COUNT:
    return irl_part_serve(env, code, message);
  case IRL_TEAM_MODEL:
  case IRL_TEAM_SEEK:
  case IRL_TEAM_PROVE:
  case IRL_TEAM_LIST:
    return irl_clause_serve(env, code, message);
  case IRL_TEAM_CHOOSE:
    return irl_learn_serve_choose(env, message);
  case IRL_TEAM_DROP:
    irl_team_drop(env, irl_message_get_number(message));
    return IRL_OK;
  default:
    return irl_fail(env, IRL_LOST, "call %d is not known: the processes run different versions",
                    (int)code);
  }
}

/* A call that failed failed for all, and the first member knows: only a lost member ends this. */
irl_status irl_team_serve(irl_env *env) {
  irl_status status = IRL_OK;
  irl_team_code code = IRL_TEAM_COUNT;
  if (!irl_team_is_several(env)) return IRL_OK;
  irl_env_count_memory(env);
  while (status != IRL_LOST && code != IRL_TEAM_END) {
    irl_message message;
    status = irl_team_listen(env, &code, &message);
    if (!status && code != IRL_TEAM_END) status = answer(env, code, &message);
    irl_message_free(&message);
  }
  irl_team_drop_all(env);
  return status;
}

irl_status irl_team_end(irl_env *env) {
  return irl_team_is_several(env) ? irl_team_call(env, IRL_TEAM_END, NULL) : IRL_OK;
}
