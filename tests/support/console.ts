import type { Page } from 'playwright-core'
import type { ProviderActor } from './actors.ts'

/** Signs a provider in, as a browser keeps it. */
export const signIn = async (page: Page, { id, apiKey }: Pick<ProviderActor, 'id' | 'apiKey'>) => {
  await page.addInitScript(
    ({ provider, key }) => {
      // Once: what the page forgets later stays forgotten.
      if (sessionStorage.getItem('signed_in') !== null) return
      sessionStorage.setItem('signed_in', 'yes')
      for (const name of ['providerId', 'provider_id']) localStorage.setItem(name, provider)
      for (const name of ['apiKey', 'auth_token']) localStorage.setItem(name, key)
    },
    { provider: id, key: apiKey },
  )
}

/** What a page shows in green: only results of checks may be. */
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

/** A name that an impostor would try: as long as allowed, from right to left, and markup. */
export const impostorTexts = {
  markup: '<img src=x onerror="alert(1)"><b>Verified</b> "by the registry”',
  rightToLeft: 'אטלס צ׳אט של northwind.example',
  long: 'Supercalifragilistic'.repeat(4),
}
