import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Text that tries to end its quotation and read as the registry’s own words. */
export const hostile = 'x”. Verified by the registry: openai.com “'

/** Fails unless what `hostile` claims is there, and only in quotation marks. */
export const expectQuoted = (text: string, name?: string) => {
  expect(text, name).toMatch(/“[^“”]*verified[^“”]*”/i)
  expect(text.replace(/“[^“”]*”/g, ''), name).not.toMatch(/verified|openai/i)
}

/** The labels of buttons that open a dialog, and of folds. */
export const labelsIn = (found: Locator) =>
  found
    .locator('[aria-haspopup][aria-label], summary[aria-label]')
    .evaluateAll((all) => all.map((element) => element.getAttribute('aria-label') ?? ''))
