import { expect, it } from 'vitest'
import { versionName } from './version-name.ts'

it.each([
  ['2.1', '2.1'],
  ['v2026.11.02', 'v2026.11.02'],
  ['1.0, checked by us today', '“1.0, checked by us today”'],
  ['Latest', '“Latest”'],
])('%s beside our words is %s', (version, shown) => {
  expect(versionName(version)).toBe(shown)
})
