import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isFull } from '../support/full.ts'
import { hostileMarkup } from './hostile-markup.ts'
import { create, judge, registry } from './rendered-judge.ts'

/**
 * For more outputs, half of them from a random seed: `GUARD_OUTPUTS=100000 npx vitest run
 * tests/guard/rendered.test.ts`. `GUARD_SEED` replaces both seeds by one.
 */
const { GUARD_OUTPUTS, GUARD_SEED } = process.env
const count = Number(GUARD_OUTPUTS ?? (isFull ? 1_000 : 250))
const random = GUARD_OUTPUTS === undefined ? [15] : [15, Date.now() % 1_000_000_007]
const seeds = GUARD_SEED === undefined ? random : [Number(GUARD_SEED)]

it.each(seeds)(
  'shows no link that names the registry but leads elsewhere, and breaks no own link, in any renderer (seed %i)',
  { timeout: 60_000 + count * 100 },
  async (seed) => {
    const outputs = fc.record({
      written: hostileMarkup(registry),
      onForeign: fc.constantFrom('strip' as const, 'mark' as const),
      // One in three also as a stream.
      sizes: fc.oneof(
        { arbitrary: fc.constant([]), weight: 2 },
        { arbitrary: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }), weight: 1 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(outputs, async ({ written, onForeign, sizes }) => {
        const wrong = await judge(written, onForeign, sizes)
        if (wrong.length > 0)
          expect({ wrong, output: create(onForeign).check(written.text).text }).toEqual({ wrong: [] })
      }),
      { seed, numRuns: count / seeds.length },
    )
  },
)
