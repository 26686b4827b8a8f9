import { Challenge } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { challenge } from '#messages/pages/challenge.ts'
import { isSamePhrase, makePhrase } from './phrase.ts'

describe('a phrase', () => {
  it('is accepted by the registry, whichever words it has', () => {
    const { first, second } = challenge.words
    const phrases = first.split(' ').flatMap((one) => second.split(' ').map((other) => `${one} ${other} 100`))
    expect(phrases.filter((phrase) => !Challenge.safeParse(phrase).success)).toEqual([])
  })

  it('has only characters that a link allows, and differs each time', () => {
    const phrases = Array.from({ length: 50 }, makePhrase)
    for (const phrase of phrases) expect(phrase).toMatch(/^[a-z]+ [a-z]+ [1-9][0-9]{2}$/)
    expect(new Set(phrases).size).toBeGreaterThan(45)
  })

  it.each([
    { other: 'blue otter 421', isSame: true },
    { other: 'Blue Otter 421', isSame: true },
    { other: ' blue-otter  421 ', isSame: true },
    { other: 'blue otter 42', isSame: false },
    { other: 'blue otter 4211', isSame: false },
    { other: 'blueotter 421', isSame: false },
    { other: 'blue оtter 421', isSame: false },
    { other: '', isSame: false },
  ])('compares blue otter 421 with “$other”: $isSame', ({ other, isSame }) => {
    expect(isSamePhrase('blue otter 421', other)).toBe(isSame)
  })
})
