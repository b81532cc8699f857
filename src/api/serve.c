/* What the processes but the first do: one call after the other. */
#include "base/contract.h"
#include "clause/distributed.h"
#include "ireland_comm.h"
#include "select/select.h"

static irl_status answer(irl_env *env, irl_comm_code code, irl_message *message) {
  switch (code) {
  case IRL_COMM_HELLO:
    return irl_comm_serve_hello(env, message);
  case IRL_COMM_DIVIDE:
  case IRL_COMM_COPY:
  case IRL_COMM_COUNT:
    return irl_shard_serve(env, code, message);
  case IRL_COMM_MODEL:
  case IRL_COMM_HEURISTIC:
  case IRL_COMM_PROVE:
  case IRL_COMM_ENUMERATE:
    return irl_clause_serve(env, code, message);
  case IRL_COMM_SELECT:
    return irl_select_serve(env, message);
  case IRL_COMM_DROP:
    irl_comm_drop(env, irl_message_get_number(message));
    return IRL_STATUS_OK;
  default:
    return irl_fail(env, IRL_STATUS_PROCESS_LOST,
                    "call %d is not known: the processes run different versions", (int)code);
  }
}

/* A call that failed failed for all, and the first process knows: only a lost process ends this. */
irl_status irl_comm_serve(irl_env *env) {
  IRL_NEED(env, "env", env);
  irl_status status = IRL_STATUS_OK;
  irl_comm_code code = IRL_COMM_COUNT;
  if (!irl_comm_is_parallel(env)) return IRL_STATUS_OK;
  irl_env_count_memory(env);
  while (status != IRL_STATUS_PROCESS_LOST && code != IRL_COMM_END) {
    irl_message message;
    status = irl_comm_listen(env, &code, &message);
    if (!status && code != IRL_COMM_END) status = answer(env, code, &message);
    irl_message_free(&message);
  }
  irl_comm_drop_all(env);
  return status;
}

irl_status irl_comm_end(irl_env *env) {
  IRL_NEED(env, "env", env);
  return irl_comm_is_parallel(env) ? irl_comm_call(env, IRL_COMM_END, NULL) : IRL_STATUS_OK;
}
