import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findFlaws, stateOf } from './visitor.ts'

/** Waits for a state of the page and checks it for faults in both looks. */
export const inspect = async (page: Page, state: string) => {
  expect(await stateOf(page)).toBe(state)
  expect({ state, flaws: await findFlaws(page) }).toEqual({ state, flaws: [] })
}
