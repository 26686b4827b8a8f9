import { describe, it } from 'vitest'

/** True for `npm run test:full`. Otherwise large products and fuzzing are sampled. */
export const isFull = process.env.TEST_FULL !== undefined

const none = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof it

/** A test that only a full run has. docs/testing.md says what holds the same in every run. */
export const itInFull = isFull ? it : none

/** A suite that only a full run has. */
export const describeInFull: (name: string, suite: () => void) => unknown = isFull ? describe : () => {}

/** All of them in a full run; otherwise each `nth` from `from` on, so that neighbours take different ones. */
export const sampled = <T>(all: readonly T[], nth: number, from = 0): readonly T[] =>
  isFull ? all : all.filter((_, index) => index % nth === from % nth)

/** How many random cases to try: a tenth, except in a full run. */
export const runsOf = (full: number): number => (isFull ? full : Math.ceil(full / 10))
