import { describe, expect, it } from 'vitest'
import { readVerdict } from '../verify/index.ts'
import { linkStateOf } from './link-screen.ts'
import { sampleAnswers, sampleIssuer, samples, sampleTime } from './samples.ts'

describe('samples', () => {
  it.each(samples)('has the result that its name promises: $name', ({ name, state }) => {
    const answer = sampleAnswers[name]
    const verdict = readVerdict('record' in answer ? answer.record : answer.refusal, {
      issuer: sampleIssuer,
      at: sampleTime,
    })
    expect(linkStateOf(verdict)).toBe(state)
  })

  it.each(samples)('contains no link code and no ID: $name', ({ name }) => {
    const text = JSON.stringify(sampleAnswers[name])
    expect(text).not.toMatch(/[0-9A-Z]{4}-?[0-9A-Z]{4}-?[0-9A-Z]{4}-?[0-9A-Z]{4}|(prv|mdl|dep|vrf)_/)
  })
})
