import { expect, it, onTestFinished } from 'vitest'
import { launchBrowser } from './browser.ts'
import { findUnreached, findUnspoken, findUntold } from './dialog.ts'

it('finds what a dialog hides from keyboard and screen reader users', async () => {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.setContent(`
    <button>Outside</button>
    <div role="dialog" aria-label="Bad">
      <button>First</button>
      <button tabindex="-1">Forgotten</button>
      <div style="cursor: pointer">Pressed</div>
      <p aria-hidden="true">unsaid</p>
      <input name="bare">
      <label>Year <input aria-invalid="true" aria-describedby="nowhere"></label>
      <label>Name <input aria-invalid="true" aria-describedby="why"></label>
      <p id="why" role="alert">Say how it is called</p>
      <button>Last</button>
    </div>`)
  const dialog = page.getByRole('dialog')
  expect(await findUnspoken(dialog)).toEqual(['unsaid'])
  expect(await findUntold(dialog)).toEqual([
    'no label: <input name="bare">',
    'Year  is described by nowhere, which is nowhere',
    'Year  is wrong, and nothing says why',
  ])
  await page.getByRole('button', { name: 'First' }).focus()
  expect(await findUnreached(page, dialog)).toEqual([expect.stringContaining('the focus left to')])

  // As in a dialog that traps the focus.
  await page.getByRole('button', { name: 'Outside' }).evaluate((button) => button.remove())
  await page.getByRole('button', { name: 'Last' }).evaluate((last: HTMLElement) => {
    last.addEventListener('keydown', (event) => {
      if (event.key !== 'Tab') return
      event.preventDefault()
      document.querySelector<HTMLElement>('[role=dialog] button')?.focus()
    })
  })
  await page.getByRole('button', { name: 'First' }).focus()
  expect(await findUnreached(page, dialog)).toEqual(['button Forgotten', 'div Pressed'])
})
