/* The candidates that may follow the one that is branched on (L3 of select_mask.c).
 *
 * What a follower needs depends on the budget: more controls ask for a larger value. As the
 * candidates stand by falling value, those that may have a budget are a prefix of the list, one for
 * each budget; so the list falls into parts, in each of which some of the budgets are possible. A
 * candidate of whose mask nothing is left there is passed over without looking at its samples. */
#include "select/select_search.h"

#define CHUNK 256u /* columns that are weighed while they are in cache */

/* The number of candidates with that value or more. */
static uint32_t count_from(const irl_select_node *node, uint32_t low, uint32_t high,
                           int64_t least) {
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (node->value[middle] >= least)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void irl_select_cut_followers(const irl_select_node *node, irl_select_followers *followers,
                              const int64_t least[64]) {
  const irl_select_followers before = *followers;
  uint32_t ends[64];
  uint64_t open = before.lead;
  assert(before.n && before.n <= 64 && before.mask[0] == before.lead);
  assert(before.first <= before.end[0] && before.end[before.n - 1] <= node->n);
  /* The end of a budget is that of the last part that had it, or earlier. */
  for (uint64_t left = before.lead; left; left &= left - 1) {
    const unsigned bit = (unsigned)__builtin_ctzll(left);
    uint32_t part = 0;
    while (part + 1 < before.n && before.mask[part + 1] >> bit & 1) part++;
    ends[bit] = count_from(node, before.first, before.end[part], least[bit]);
    if (ends[bit] == before.first) open &= ~(left & -left);
  }
  followers->lead = open;
  followers->n = 0;
  while (open) {
    uint32_t end = UINT32_MAX;
    uint64_t rest = open;
    for (uint64_t left = open; left; left &= left - 1) {
      const unsigned bit = (unsigned)__builtin_ctzll(left);
      if (ends[bit] < end) end = ends[bit];
    }
    for (uint64_t left = open; left; left &= left - 1)
      if (ends[__builtin_ctzll(left)] == end) rest &= ~(left & -left);
    assert(followers->n < 64 && end > before.first && (open & rest) == rest && open != rest);
    followers->mask[followers->n] = open;
    followers->end[followers->n++] = end;
    open = rest;
  }
}

bool irl_select_next(irl_select_worker *w, const irl_select_node *node,
                     const irl_select_followers *followers, irl_select_place *place) {
  const uint64_t *masks = node->mask;
  uint32_t *ids = w->ids, n = 0, at = place->at > followers->first ? place->at : followers->first;
  uint64_t *moved = w->moved;
  const uint32_t begin = at;
  assert(!followers->n || followers->end[followers->n - 1] <= node->n);
  while (place->part < followers->n && n < CHUNK) {
    const uint32_t end = followers->end[place->part];
    const uint64_t mask = followers->mask[place->part];
    while (at < end && n < CHUNK) {
      /* At most so many are added before it is asked again. */
      const uint32_t room = CHUNK - n, stop = end - at < room ? end : at + room;
      for (; at < stop; at++) {
        moved[n] = masks[at] & mask;
        ids[n] = at;
        n += moved[n] != 0;
      }
    }
    if (at == end) place->part++;
  }
  w->work += (at - begin) / 2 + 1;
  assert(n <= CHUNK && at >= begin);
  place->at = at;
  place->n = n;
  return n > 0;
}
