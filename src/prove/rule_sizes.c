/* How many clauses may follow where literals are limited, or cost something (lemma 15 of
 * method.md).
 *
 * Let l literals be left. A clause of s literals leaves l - s for the others, and if each of those
 * has more than m literals there are at most (l - s) / (m + 1) of them: of long clauses a better
 * rule has few, of which one must gain much by itself. So the value of a clause counts its cases
 * not once for each clause left but as often as there may be clauses beside it, which cuts lists of
 * long clauses down. The price is that those of at most m literals are all branched on: they are
 * few. A penalty limits clauses and literals together, since a better rule pays less than its loss.
 */
#include "prove/rule_bnb_node.h"

/* Words that listing takes however few literals there are: memory, columns, one worker. */
#define LISTING_WORK 4000.0

static uint64_t less(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

irl_rule_room irl_rule_room_left(const irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  const irl_problem *problem = s->search->problem;
  const uint64_t used = at->n + at->literals;
  const int64_t budget = s->target - 1 - at->cost_so_far;
  assert(at->n <= problem->K);
  irl_rule_room room = {
      .clauses = problem->K - at->n, .literals = UINT64_MAX, .complexity = UINT64_MAX};
  if (problem->max_literals != UINT64_MAX)
    room.literals = problem->max_literals - less(at->literals, problem->max_literals);
  if (problem->max_complexity != UINT64_MAX)
    room.complexity = problem->max_complexity - less(used, problem->max_complexity);
  if (problem->penalty)
    room.complexity = less(room.complexity, budget < 0 ? 0 : (uint64_t)(budget / problem->penalty));
  return room;
}

uint32_t irl_rule_room_count(const irl_rule_room *room, uint32_t size, uint32_t small) {
  assert(size);
  if (!room->clauses || size > room->literals || room->complexity < size + (uint64_t)1) return 0;
  uint64_t others = room->clauses - 1;
  if (room->literals != UINT64_MAX)
    others = less(others, (room->literals - size) / (small + (uint64_t)1));
  if (room->complexity != UINT64_MAX)
    others = less(others, (room->complexity - size - 1) / (small + (uint64_t)2));
  return (uint32_t)others + 1;
}

/* How many clauses of that size there are. */
static double count_clauses(const irl_rule_bnb *s, uint32_t size) {
  const double n = (double)s->data->n_features * (s->search->problem->negations ? 2 : 1);
  double combinations = 1;
  for (uint32_t i = 0; i < size; i++) combinations *= i < n ? (n - i) / (i + 1) : 0;
  assert(combinations >= 0);
  return combinations;
}

/* Listing the clauses that so many literals allow. */
static double listing_work(const irl_rule_bnb *s, uint64_t literals) {
  const double words = (double)(s->data->cases.stride + s->data->controls.stride);
  double sum = 0;
  for (uint32_t size = 1; size <= less(literals, s->search->problem->M); size++)
    sum += count_clauses(s, size);
  return LISTING_WORK + sum * words;
}

static uint64_t literals_after(const irl_rule_room *room, uint32_t size) {
  const uint64_t complexity = room->complexity == UINT64_MAX ? UINT64_MAX : room->complexity - 1;
  const uint64_t most = less(room->literals, complexity);
  return most == UINT64_MAX ? most : most - less(size, most);
}

double irl_rule_room_work(const irl_rule_bnb *s, const irl_rule_room *room,
                          const irl_clause_array *list) {
  double work = 0;
  uint32_t n[IRL_CLAUSE_MAX + 1] = {0};
  for (size_t i = 0; i < list->n; i++) n[list->sizes[i]]++;
  for (uint32_t size = 1; size <= s->search->problem->M; size++)
    if (n[size]) work += n[size] * listing_work(s, literals_after(room, size));
  assert(work >= 0);
  return work;
}

double irl_rule_room_work_of_all(const irl_rule_bnb *s, const irl_rule_room *room, uint32_t size) {
  return count_clauses(s, size) * listing_work(s, literals_after(room, size));
}
