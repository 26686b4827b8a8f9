import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement)

/** Opens a dialog with the keyboard, or from the opener's menu. */
export const openByKey = async (page: Page, opener: Locator, name: string | RegExp, item?: string | RegExp) => {
  await opener.waitFor()
  expect(await opener.evaluate(({ tabIndex }) => tabIndex)).toBe(0)
  await opener.focus()
  await page.keyboard.press('Enter')
  if (item !== undefined) await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  return dialog
}

/** Escape closes it, and the focus returns to its opener. */
export const closeByKey = async (page: Page, dialog: Locator, opener: Locator) => {
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => isFocused(opener)).toBe(true)
}

/** Its controls, by role or by pointer cursor. */
const collectOperable = (dialog: Element) => {
  const natural =
    'a[href], button, input, select, textarea, summary, audio, video, [role=button], [role=switch], [tabindex]'
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent?.trim().slice(0, 40)}`
  const isRest = (element: Element) => {
    if (element.getClientRects().length === 0 || getComputedStyle(element).visibility === 'hidden') return true
    if (element.matches(':disabled')) return true
    // A file is chosen with the button beside the field; radio buttons are reached with the arrow keys.
    return element.matches('input[type=file][tabindex="-1"], input[type=radio]:not(:checked)')
  }
  const isPointed = (element: Element) =>
    getComputedStyle(element).cursor === 'pointer' &&
    element.closest('a, button, label, summary, input, select') === null
  const operable = [...dialog.querySelectorAll('*')].filter(
    (element) => !isRest(element) && (element.matches(natural) || isPointed(element)),
  )
  const focused = Array.from({ length: 0 }, () => dialog)
  const onFocus = () => {
    if (document.activeElement) focused.push(document.activeElement)
  }
  let left: string | undefined
  let isRound = false
  // The focus has settled by then: a trap may pass it on from an element outside the dialog.
  const onKeyUp = () => {
    if (!isRound && document.activeElement && !dialog.contains(document.activeElement))
      left ??= nameOf(document.activeElement)
    isRound ||= focused.length > 2 && focused.at(-1) === focused[1]
  }
  dialog.addEventListener('focusin', onFocus)
  document.addEventListener('keyup', onKeyUp, true)
  onFocus()
  return {
    stops: operable.length + 2,
    read: () => ({ left, isRound }),
    end: () => {
      dialog.removeEventListener('focusin', onFocus)
      document.removeEventListener('keyup', onKeyUp, true)
      return operable.filter((element) => !focused.includes(element)).map(nameOf)
    },
  }
}

const mostStops = 200

/** Tabs through it once: what was never reached, and whether the focus left it. */
export const findUnreached = async (page: Page, dialog: Locator): Promise<string[]> => {
  const walk = await dialog.evaluateHandle(collectOperable)
  const stops = await walk.evaluate(({ stops }) => stops)
  for (let stop = 1; stop <= mostStops; stop++) {
    await page.keyboard.press('Tab')
    if (stop % stops !== 0) continue
    const { left, isRound } = await walk.evaluate(({ read }) => read())
    if (left !== undefined) return [`the focus left to ${left}`]
    if (isRound) break
  }
  return walk.evaluate(({ end }) => end())
}

/** Visible text that is missing from the accessibility tree. */
export const findUnspoken = async (dialog: Locator): Promise<string[]> => {
  const seen = (await dialog.innerText()).match(/[\p{L}\p{N}]+/gu) ?? []
  const spoken = await dialog.ariaSnapshot()
  return [...new Set(seen.filter((word) => !spoken.includes(word)))]
}

/** Fields without a label, with references to missing words, or with an error that is not announced. */
export const findUntold = (dialog: Locator): Promise<string[]> =>
  dialog.evaluate((element) => {
    const elementOf = (id: string) => document.getElementById(id)
    const tiesOf = (field: Element) => [
      ...(field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean),
      ...(field.closest('fieldset')?.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean),
    ]
    const isLabelled = (field: HTMLInputElement) =>
      [...(field.labels ?? [])].some(({ textContent }) => textContent?.trim()) ||
      Boolean(field.getAttribute('aria-label'))
    const isExplained = (field: Element) =>
      tiesOf(field).some((id) => elementOf(id)?.closest('[role=alert]') && elementOf(id)?.textContent?.trim() !== '')
    return [...element.querySelectorAll<HTMLInputElement>('input, select, textarea')].flatMap((field) => {
      const name = field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? field.name
      return [
        ...(isLabelled(field) ? [] : [`no label: ${field.outerHTML.slice(0, 80)}`]),
        ...tiesOf(field).flatMap((id) => (elementOf(id) ? [] : [`${name} is described by ${id}, which is nowhere`])),
        ...(field.ariaInvalid === 'true' && !isExplained(field) ? [`${name} is wrong, and nothing says why`] : []),
      ]
    })
  })
