import type { Locator, Page } from 'playwright-core'

/** The row of a list in the dashboard, by a text of its own. */
export const rowOf = (page: Page, text: string) =>
  page.getByRole('row').filter({ has: page.getByText(text, { exact: true }) })

/** Chooses an entry in the menu of a row. */
export const actOn = async (row: Locator, action: string | RegExp) => {
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await row.page().getByRole('menuitem', { name: action, exact: true }).click()
}

/** The names of the listed rows, in order. */
export const namesIn = (page: Page) => page.locator('tbody [data-opens] bdi').allInnerTexts()
