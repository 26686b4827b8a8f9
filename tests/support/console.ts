import type { Page } from 'playwright-core'
import type { ProviderActor } from './actors.ts'

/** Signs a provider in by filling the browser's storage. */
export const signIn = async (page: Page, { id, apiKey }: Pick<ProviderActor, 'id' | 'apiKey'>) => {
  await page.addInitScript(
    ({ provider, key }) => {
      // Only once, so that the page can sign out later.
      if (sessionStorage.getItem('signed_in') !== null) return
      sessionStorage.setItem('signed_in', 'yes')
      for (const name of ['providerId', 'provider_id']) localStorage.setItem(name, provider)
      for (const name of ['apiKey', 'auth_token']) localStorage.setItem(name, key)
    },
    { provider: id, key: apiKey },
  )
}

/** The green elements of a page, which only results of checks may be. */
export const greenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--ok)'
    const green = getComputedStyle(probe).color
    probe.remove()
    return [...document.querySelectorAll<HTMLElement>('main *, [role=dialog] *')]
      .filter(
        (element) =>
          element.childElementCount <= 1 && element.innerText?.trim() && getComputedStyle(element).color === green,
      )
      .map((element) => element.innerText.trim())
  })

/** A hostile name: as long as allowed, right to left, with markup. */
export const impostorTexts = {
  markup: '<img src=x onerror="alert(1)"><b>Verified</b> "by the registry”',
  rightToLeft: 'אטלס צ׳אט של northwind.example',
  long: 'Supercalifragilistic'.repeat(4),
}
