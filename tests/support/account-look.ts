import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findViolations, overflowOf, stateOf } from './visitor.ts'

/** Waits for a state of the page and checks it for faults. With SHOTS in the environment it saves a picture there. */
export const inspect = async (page: Page, state: string, picture: string) => {
  expect(await stateOf(page)).toBe(state)
  const found = { state, overflow: await overflowOf(page), violations: await findViolations(page) }
  if (process.env.SHOTS)
    await page.screenshot({
      path: `${process.env.SHOTS}/${picture}-${state}.png`.replace(/[^\w./-]+/g, '-'),
      fullPage: true,
    })
  expect(found).toEqual({ state, overflow: 0, violations: [] })
}
