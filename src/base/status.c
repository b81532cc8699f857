/* The texts of irl_status and irl_outcome, from the tables in ireland.h. */
#include "ireland.h"

#define TEXT_ROW(name, text) [name] = text,

const char *irl_status_text(irl_status status) {
  static const char *const texts[] = {IRL_STATUS_TABLE(TEXT_ROW)};
  return (unsigned)status < IRL_N_STATUS ? texts[status] : "unknown status";
}

const char *irl_outcome_text(irl_outcome outcome) {
  static const char *const texts[] = {IRL_OUTCOME_TABLE(TEXT_ROW)};
  return (unsigned)outcome < IRL_N_OUTCOME ? texts[outcome] : "unknown outcome";
}
