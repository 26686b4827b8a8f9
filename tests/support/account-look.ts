import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findViolations, type Look, looks, overflowOf, stateOf } from './visitor.ts'

/** Light and wide, dark and narrow: what differs shows in these two. Nothing moves, so that nothing is judged half faded in. */
export const opposites: readonly Look[] = looks
  .filter(({ name }) => name === 'light, desktop' || name === 'dark, 320 px')
  .map(({ name, context }) => ({ name, context: { ...context, reducedMotion: 'reduce' } }))

/** Finds the page in a state, and nothing wrong with it. With SHOTS in the environment it leaves a picture there. */
export const inspect = async (page: Page, state: string, picture: string) => {
  expect(await stateOf(page)).toBe(state)
  const found = { state, overflow: await overflowOf(page), violations: await findViolations(page) }
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/${picture}-${state}.png`.replace(/[^\w./-]+/g, '-'), fullPage: true })
  expect(found).toEqual({ state, overflow: 0, violations: [] })
}
