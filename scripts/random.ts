/** Mulberry32: the same seed gives the same numbers. */
export const createRandom = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const isLucky = (share: number) => next() < share
  return { next, below, pick, isLucky }
}

export type Random = ReturnType<typeof createRandom>
