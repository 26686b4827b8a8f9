import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleReasons } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../../docs/integrity.md'), 'utf8')

it('the docs explain every reason of a verdict with its status, and no others', () => {
  const explained = [...page.matchAll(/^\| `([a-z_]+)` \| `(unknown|invalid|error)` \|/gm)].map(
    ([, reason, status]) => [reason, status],
  )
  expect(Object.fromEntries(explained)).toEqual(bundleReasons)
})
