import { expect, it } from 'vitest'
import { latinOf, resembled } from './lookalikes.ts'

it('reads ASCII text by the ASCII characters of the table', () => {
  const inTable = [...latinOf.keys()].filter((character) => character <= '~')
  expect(inTable).toContain('1')
  expect(resembled(inTable.join(''))).toBe(inTable.map((character) => latinOf.get(character)).join(''))
})
