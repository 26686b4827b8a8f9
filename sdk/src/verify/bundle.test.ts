import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'

const bundleOf = async (entry: string) => {
  const bundle = await rolldown({
    input: new URL(entry, import.meta.url).pathname,
    platform: 'browser',
    resolve: { conditionNames: ['@countersign/source', 'browser', 'import', 'default'] },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('\n')
}

describe.each([
  { name: '@countersign/sdk/verify', entry: './index.ts', most: 10_000 },
  { name: '@countersign/sdk', entry: '../index.ts', most: 30_720 },
])('$name bundled for a browser', ({ entry, most }) => {
  it(`is at most ${most} bytes gzipped, without Node built-ins and without zod`, async () => {
    const code = await bundleOf(entry)
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(most)
    expect(code).not.toMatch(/node:|\brequire\(|_zod|ZodType/)
    expect(code).toMatch(/export ?\{/)
  })
})
