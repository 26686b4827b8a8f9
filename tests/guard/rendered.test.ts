import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hostileMarkup } from './hostile-markup.ts'
import { create, judge, registry } from './rendered-judge.ts'

/** All of them: `GUARD_OUTPUTS=100000 npx vitest run tests/guard/rendered.test.ts`. */
const count = Number(process.env.GUARD_OUTPUTS ?? 1_000)

it.each([{ seed: 15 }, { seed: Date.now() % 1_000_000_007 }])(
  'shows no link that names the registry and leads elsewhere, and breaks no own link, however it is rendered (seed $seed)',
  { timeout: 60_000 + count * 100 },
  async ({ seed }) => {
    const outputs = fc.record({
      written: hostileMarkup(registry),
      onForeign: fc.constantFrom('strip' as const, 'mark' as const),
      // In a stream, too, one in three of them.
      sizes: fc.oneof(
        { arbitrary: fc.constant([]), weight: 2 },
        { arbitrary: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }), weight: 1 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(outputs, async ({ written, onForeign, sizes }) => {
        const wrong = await judge(written, onForeign, sizes)
        if (wrong.length > 0) expect({ wrong, output: create(onForeign).check(written.text).text }).toEqual({ wrong: [] })
      }),
      { seed, numRuns: count / 2 },
    )
  },
)
