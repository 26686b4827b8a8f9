import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { files } from './generate.ts'

it.each(Object.entries(files))('the committed %s is what its script makes', (name, make) => {
  expect(readFileSync(new URL(name, import.meta.url), 'utf8')).toBe(make())
})
