// The rules of calculation for thousands of games at once: free-move closures, the dead-state test, the last card,
// and the inputs of the value net. One thread (for the inputs: one warp) per item.
//
// The same text is compiled for the GPU (NVRTC) and, by any C++ compiler, for the host, where a loop replaces the
// threads; so the rules can be tested on a machine without a GPU. STACKS is defined by the caller.
//
// A state is STATE bytes: cards on each of the four foundations, heights of the stacks (four bytes), cards unseen of
// each of the 13 ranks, padding up to 24 bytes, then the stacks from the bottom, HEIGHT bytes each. Ranks are 0..12.
//
// A key names the result of one draw compactly: 4 x 4 bits foundations, 4 x 6 bits heights, then the stack that holds
// the drawn card, or ON_FOUNDATION once it has been played.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#ifdef __CUDACC__
#define INNER __device__ static
#define LANES 32
#define KERNEL(name, item, params, args)                              \
  extern "C" __global__ void name params {                            \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                    \
    if (i < n) item args;                                             \
  }
#else
#define INNER static
#define LANES 1
#define KERNEL(name, item, params, args)                              \
  extern "C" void name params {                                       \
    for (int i = 0; i < n; i++) item args;                            \
  }
#endif

#define HEIGHT 40
#define STATE (24 + HEIGHT * STACKS)
#define CANDIDATES 48
#define ON_FOUNDATION 7ull
#define NO_RANK 255

// Rank that foundation j (step j+1) takes when it holds p cards, and the place of rank r on foundation j.
INNER int wanted(int j, int p) { return p < 13 ? ((p + 1) * (j + 1) + 12) % 13 : NO_RANK; }
INNER int place(int j, int r) {
  // The inverse of j+1 modulo 13, times the rank counted from one.
  const int inverse = j == 0 ? 1 : j == 1 ? 7 : j == 2 ? 9 : 10;
  return ((r + 1) * inverse + 12) % 13;
}

INNER int key_pile(u64 key, int j) { return (key >> (4 * j)) & 15; }
INNER int key_height(u64 key, int s) { return (key >> (16 + 6 * s)) & 63; }
INNER int key_holder(u64 key) { return (key >> 40) & 7; }

INNER u64 key_of(const u8* state) {
  u64 key = 0;
  for (int j = 0; j < 4; j++) key |= (u64)state[j] << (4 * j);
  for (int s = 0; s < STACKS; s++) key |= (u64)state[4 + s] << (16 + 6 * s);
  return key;
}

// Adds `start` and everything free moves reach from it to `out`, each once, newest first, so that a full list still
// holds the longest unloadings. The drawn card may leave its stack too. Room is at most MOST_ROOM.
#define MOST_ROOM 64
INNER int closure(const u8* state, int drawn, u64 start, u64* out, int count, int room) {
  for (int i = 0; i < count; i++)
    if (out[i] == start) return count;
  if (count >= room) return count;
  int base = count;
  u64 open = 1;  // bit i: out[base + i] has not been expanded
  out[count++] = start;
  while (open) {
    int next = base + MOST_ROOM - 1;
    while (!(open >> (next - base) & 1)) next--;
    open ^= 1ull << (next - base);
    u64 key = out[next];
    int holder = key_holder(key);
    for (int s = 0; s < STACKS; s++) {
      int height = key_height(key, s);
      if (height == 0) continue;
      bool fresh = holder == s && height == state[4 + s] + 1;
      int card = fresh ? drawn : state[24 + s * HEIGHT + height - 1];
      for (int j = 0; j < 4; j++) {
        if (wanted(j, key_pile(key, j)) != card) continue;
        u64 after = key + (1ull << (4 * j)) - (1ull << (16 + 6 * s));
        if (fresh) after |= ON_FOUNDATION << 40;
        bool known = false;
        for (int q = 0; q < count && !known; q++) known = out[q] == after;
        if (!known && count < room) {
          open |= 1ull << (count - base);
          out[count++] = after;
        }
      }
    }
  }
  return count;
}

// All results of drawing one card: play it or put it on a stack (one empty stack stands for all), then free moves.
INNER void expand_one(int i, const u8* states, const u8* drawn, u64* keys, int* counts) {
  const u8* state = states + (u64)i * STATE;
  int rank = drawn[i], count = 0;
  u64 out[CANDIDATES], key = key_of(state);
  for (int j = 0; j < 4; j++)
    if (wanted(j, state[j]) == rank)
      count = closure(state, rank, (key + (1ull << (4 * j))) | ON_FOUNDATION << 40, out, count, CANDIDATES);
  bool empty_used = false;
  for (int s = 0; s < STACKS; s++) {
    if (state[4 + s] == 0) {
      if (empty_used) continue;
      empty_used = true;
    }
    if (state[4 + s] >= HEIGHT) continue;
    count = closure(state, rank, (key + (1ull << (16 + 6 * s))) | (u64)s << 40, out, count, CANDIDATES);
  }
  for (int c = 0; c < count; c++) keys[(u64)i * CANDIDATES + c] = out[c];
  counts[i] = count;
}
KERNEL(expand, expand_one, (const u8* states, const u8* drawn, u64* keys, int* counts, int n),
       (i, states, drawn, keys, counts))

// The state a key stands for.
INNER void apply_one(int i, const u8* states, const u8* drawn, const int* owners, const u64* keys, u8* after) {
  int owner = owners[i], rank = drawn[owner];
  const u8* state = states + (u64)owner * STATE;
  u8* out = after + (u64)i * STATE;
  const u32* from = (const u32*)state;
  u32* to = (u32*)out;
  for (int w = 0; w < STATE / 4; w++) to[w] = from[w];
  u64 key = keys[i];
  int holder = key_holder(key);
  out[8 + rank] -= 1;
  if (holder < STACKS) out[24 + holder * HEIGHT + state[4 + holder]] = rank;
  for (int j = 0; j < 4; j++) out[j] = key_pile(key, j);
  for (int s = 0; s < STACKS; s++) out[4 + s] = key_height(key, s);
}
KERNEL(apply, apply_one, (const u8* states, const u8* drawn, const int* owners, const u64* keys, u8* after, int n),
       (i, states, drawn, owners, keys, after))

// The dead-state test: could the stacks be unloaded if the unseen cards could be had in any order? Depth first; a
// card all of whose still needed other copies are at hand is moved at once, since waiting cannot help.
// 0: no (the game is lost), 1: yes, 2: not decided within the budget.
INNER int unloads(const u8* state, int budget) {
  const int ROOM = 20;
  u64 later[ROOM], later_unseen[ROOM];
  u64 key = key_of(state), unseen = 0;
  int waiting = 0;
  bool dropped = false;
  for (int r = 0; r < 13; r++) unseen |= (u64)state[8 + r] << (4 * r);
  while (true) {
    if (budget-- <= 0) return 2;
    if ((key >> 16) == 0) return 1;
    int tops[STACKS];
    for (int s = 0; s < STACKS; s++) {
      int height = key_height(key, s);
      tops[s] = height == 0 ? 254 : state[24 + s * HEIGHT + height - 1];
    }
    // Moves in doubt: foundation j takes the top of stack s, or (s = STACKS) an unseen card.
    int count = 0, piles[4 * STACKS + 4], froms[4 * STACKS + 4];
    bool moved = false;
    for (int j = 0; j < 4 && !moved; j++) {
      int rank = wanted(j, key_pile(key, j));
      if (rank == NO_RANK) continue;
      int free = (unseen >> (4 * rank)) & 15, needed = 0;
      for (int q = 0; q < 4; q++) needed += place(q, rank) >= key_pile(key, q);
      bool on_top = false;
      for (int s = 0; s < STACKS && !moved; s++) {
        if (tops[s] != rank) continue;
        on_top = true;
        if (free + 1 >= needed) {
          key += (1ull << (4 * j)) - (1ull << (16 + 6 * s));
          moved = true;
        } else {
          piles[count] = j, froms[count++] = s;
        }
      }
      if (moved || on_top || free == 0) continue;
      if (free >= needed) {
        key += 1ull << (4 * j), unseen -= 1ull << (4 * rank);
        moved = true;
      } else {
        piles[count] = j, froms[count++] = STACKS;
      }
    }
    if (moved) continue;
    if (count == 0) {
      if (waiting == 0) return dropped ? 2 : 0;
      key = later[--waiting], unseen = later_unseen[waiting];
      continue;
    }
    // Try a card from a stack first; keep the others for later, stack cards on top.
    int first = 0;
    for (int c = count - 1; c >= 0; c--)
      if (froms[c] < STACKS) first = c;
    for (int pass = 0; pass < 3; pass++)
      for (int c = count - 1; c >= 0; c--) {
        int kind = c == first ? 2 : froms[c] < STACKS ? 1 : 0;
        if (kind != pass) continue;
        int j = piles[c], rank = wanted(j, key_pile(key, j));
        u64 after = key + (1ull << (4 * j)), rest = unseen;
        if (froms[c] < STACKS) after -= 1ull << (16 + 6 * froms[c]);
        else rest -= 1ull << (4 * rank);
        if (pass == 2) key = after, unseen = rest;
        else if (waiting >= ROOM) dropped = true;
        else later[waiting] = after, later_unseen[waiting++] = rest;
      }
  }
}
INNER void alive_one(int i, const u8* states, int budget, u8* out) { out[i] = unloads(states + (u64)i * STATE, budget); }
KERNEL(alive, alive_one, (const u8* states, int budget, u8* out, int n), (i, states, budget, out))

// The last card is drawn: 52 if the game can be won, else the most cards found on the foundations. Once the card lies
// somewhere nothing is unseen, and the test above is exact.
INNER void finish_one(int i, const u8* states, const u8* drawn, u8* best) {
  const u8* state = states + (u64)i * STATE;
  int rank = drawn[i], most = 0;
  u64 out[MOST_ROOM], key = key_of(state);
  u8 table[STATE];
  for (int way = 0; way < 4 + STACKS && most < 52; way++) {
    u64 start;
    for (int b = 0; b < STATE; b++) table[b] = state[b];
    table[8 + rank] -= 1;
    if (way < 4) {
      if (wanted(way, state[way]) != rank) continue;
      start = (key + (1ull << (4 * way))) | ON_FOUNDATION << 40;
      table[way] += 1;
    } else {
      int s = way - 4;
      if (state[4 + s] >= HEIGHT) continue;
      start = (key + (1ull << (16 + 6 * s))) | (u64)s << 40;
      table[24 + s * HEIGHT + state[4 + s]] = rank;
      table[4 + s] += 1;
    }
    if (unloads(table, 300) == 1) {
      most = 52;
      break;
    }
    int count = closure(state, rank, start, out, 0, MOST_ROOM);
    for (int c = 0; c < count; c++) {
      int played = 0;
      for (int j = 0; j < 4; j++) played += key_pile(out[c], j);
      if (played > most) most = played;
    }
  }
  best[i] = most;
}
KERNEL(finish, finish_one, (const u8* states, const u8* drawn, u8* best, int n), (i, states, drawn, best))

// Inputs of the net, all binary, as 16-bit floats `one`. A row per stack in canonical order, and a row of globals.
#define DEPTHS 20
#define HEADS 8
#define GLOBALS 134
#define GLOBAL_ROW 136
#define HEIGHT_AT (DEPTHS * 13)
#define NEXT_AT (2 * DEPTHS * 13)
#define ABOVE_AT (NEXT_AT + 169)
#define AWAY_AT (ABOVE_AT + 169)
#define GLOBAL_AT (AWAY_AT + HEADS * 4 * 14)
#define STACK_ROW (GLOBAL_AT + GLOBALS)
#define WORDS (STACK_ROW / 32)

// Does stack b come before stack a? The order is by the cards from the bottom, larger first, a prefix last.
INNER bool before(const u8* state, int b, int a) {
  int height_a = state[4 + a], height_b = state[4 + b];
  for (int z = 0;; z++) {
    if (z >= height_b) return false;
    if (z >= height_a) return true;
    int card_a = state[24 + a * HEIGHT + z], card_b = state[24 + b * HEIGHT + z];
    if (card_a != card_b) return card_b > card_a;
  }
}

INNER void mark(u32* bits, int at) {
#ifdef __CUDACC__
  atomicOr(bits + (at >> 5), 1u << (at & 31));
#else
  bits[at >> 5] |= 1u << (at & 31);
#endif
}

INNER void mark_globals(const u8* state, u32* bits, int offset, int lane) {
  for (int j = lane; j < 4; j += LANES) mark(bits, offset + j * 14 + state[j]);
  for (int r = lane; r < 13; r += LANES) {
    mark(bits, offset + 56 + r * 5 + state[8 + r]);
    bool next = false;
    for (int j = 0; j < 4; j++) next |= wanted(j, state[j]) == r;
    if (next && state[8 + r] > 0) mark(bits, offset + 121 + r);
  }
}

INNER void mark_stack(const u8* state, int slot, u32* bits, int lane) {
  int order[STACKS];
  for (int s = 0; s < STACKS; s++) order[s] = s;
  for (int s = 1; s < STACKS; s++)
    for (int q = s; q > 0 && before(state, order[q], order[q - 1]); q--) {
      int other = order[q];
      order[q] = order[q - 1], order[q - 1] = other;
    }
  int height = state[4 + order[slot]];
  const u8* stack = state + 24 + order[slot] * HEIGHT;
  for (int d = lane; d < height; d += LANES) {
    if (d < DEPTHS) {
      mark(bits, d * 13 + stack[height - 1 - d]);
      mark(bits, HEIGHT_AT + d * 13 + stack[d]);
    }
    if (d + 1 < height) mark(bits, NEXT_AT + stack[d + 1] * 13 + stack[d]);
    for (int e = 0; e < d; e++) mark(bits, ABOVE_AT + stack[d] * 13 + stack[e]);
  }
  for (int q = lane; q < 4 * (height < HEADS ? height : HEADS); q += LANES) {
    int away = place(q & 3, stack[height - 1 - (q >> 2)]) - state[q & 3];
    mark(bits, AWAY_AT + q * 14 + (away < 0 ? 13 : away));
  }
  mark_globals(state, bits, GLOBAL_AT, lane);
}

INNER void spread(const u32* bits, u16* row, int width, u16 one, int lane) {
  for (int at = lane * 8; at < width; at += LANES * 8) {
    u32 eight = bits[at >> 5] >> (at & 31), out[4];
    for (int p = 0; p < 4; p++) out[p] = (eight >> (2 * p) & 1) * one | (u32)((eight >> (2 * p + 1) & 1) * one) << 16;
    u32* to = (u32*)(row + at);
#ifdef __CUDACC__
    *(uint4*)to = make_uint4(out[0], out[1], out[2], out[3]);
#else
    for (int p = 0; p < 4; p++) to[p] = out[p];
#endif
  }
}

INNER void encode_one(int i, int lane, u32* bits, const u8* states, u16 one, u16* stacks, u16* globals) {
  const u8* state = states + (u64)(i / STACKS) * STATE;
  int slot = i % STACKS;
#ifdef __CUDACC__
#define TOGETHER __syncwarp()
#else
#define TOGETHER
#endif
  for (int w = lane; w < WORDS; w += LANES) bits[w] = 0;
  TOGETHER;
  mark_stack(state, slot, bits, lane);
  TOGETHER;
  spread(bits, stacks + (u64)i * STACK_ROW, STACK_ROW, one, lane);
  if (slot != 0) return;
  TOGETHER;
  for (int w = lane; w < WORDS; w += LANES) bits[w] = 0;
  TOGETHER;
  mark_globals(state, bits, 0, lane);
  TOGETHER;
  spread(bits, globals + (u64)(i / STACKS) * GLOBAL_ROW, GLOBAL_ROW, one, lane);
}
#ifdef __CUDACC__
extern "C" __global__ void encode(const u8* states, int one, u16* stacks, u16* globals, int n) {
  __shared__ u32 bits[4][WORDS];
  int i = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (i < n) encode_one(i, threadIdx.x & 31, bits[threadIdx.x >> 5], states, one, stacks, globals);
}
#else
extern "C" void encode(const u8* states, int one, u16* stacks, u16* globals, int n) {
  u32 bits[WORDS];
  for (int i = 0; i < n; i++) encode_one(i, 0, bits, states, one, stacks, globals);
}
#endif

// relu(value) * relu(gate) of every stack and relu of the globals, side by side; bf16, acting only.
INNER float wide(u16 x) {
  union { u32 u; float f; } both;
  both.u = (u32)x << 16;
  return both.f;
}
INNER u16 narrow(float x) {
  union { float f; u32 u; } both;
  both.f = x;
  return (both.u + 0x7fff + (both.u >> 16 & 1)) >> 16;
}
INNER void gate_one(int i, const u16* stacks, const u16* globals, int width, u16* out) {
  int total = (STACKS + 1) * width, row = i / (total / 2), at = i % (total / 2) * 2, slot = at / width;
  u32 pair = 0;
  for (int p = 0; p < 2; p++) {
    int unit = at + p - slot * width;
    float x;
    if (slot < STACKS) {
      const u16* from = stacks + ((u64)row * STACKS + slot) * 2 * width + unit;
      float value = wide(from[0]), gate = wide(from[width]);
      x = value > 0 && gate > 0 ? value * gate : 0;
    } else {
      float value = wide(globals[(u64)row * width + unit]);
      x = value > 0 ? value : 0;
    }
    pair |= (u32)narrow(x) << (16 * p);
  }
  ((u32*)out)[i] = pair;
}
KERNEL(gate, gate_one, (const u16* stacks, const u16* globals, int width, u16* out, int n),
       (i, stacks, globals, width, out))
