import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { files, folder } from './generate.ts'

it.each(Object.entries(files))('the committed %s is what its script makes', (name, make) => {
  expect(readFileSync(new URL(name, folder), 'utf8')).toBe(make())
})
