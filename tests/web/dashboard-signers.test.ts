import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { expectQuoted, hostile } from '../support/hostile.ts'
import { openOwner } from '../support/owner.ts'
import { signChallenge } from '../support/signers.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { findFlaws } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

it('a signer is proven by a signature of its key, and rejected until then', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const [theirs, others] = [ecKeys(), ecKeys()]
  const public_key = theirs.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const { id } = await acme.client.signers.declare({ signer: { kind: 'key', public_key } })
  const { page, visit } = await openOwner(browser, world, acme)
  await visit('/dashboard?tab=settings&section=signers')
  const list = page.getByRole('list', { name: 'Who may sign' })
  await list.getByText('Not proven: counts as a third party', { exact: false }).waitFor()
  await list.getByRole('button', { name: /^Prove key/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Prove that this key is yours' })
  await dialog.getByText(`countersign signers prove ${id} --key key.pem`).waitFor()
  const message = (await dialog.locator('pre', { hasText: 'nonce:' }).textContent()) ?? ''
  expect(await findFlaws(page)).toEqual([])

  const send = async (signature: string) => {
    await dialog.getByLabel('Signature (base64)').fill(signature)
    await dialog.getByRole('button', { name: 'Prove', exact: true }).click()
  }
  await send('not base64!')
  await dialog.getByText('Enter the signature of the text above, in base64').waitFor()
  await send(signChallenge(message, others.privateKey))
  await dialog.getByText('The signer was not proven:', { exact: false }).waitFor()
  expect((await acme.client.signers.list({})).signers[0]?.tied).toBe(false)
  await send(signChallenge(message, theirs.privateKey))
  await page.getByText('The signer is proven to be yours').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await list.getByText('Proven to be yours').waitFor()
  expect(await list.getByRole('button', { name: /^Prove key/ }).count()).toBe(0)
})

it('the identity that a member declared is in quotation marks', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const signer = { kind: 'identity', issuer: 'https://accounts.google.com', identity: hostile } as const
  await acme.client.signers.declare({ signer })
  const { page, visit } = await openOwner(browser, world, acme)
  await visit('/dashboard?tab=settings&section=signers')
  const line = page.getByRole('list', { name: 'Who may sign' }).getByText('issued by')
  expectQuoted(await line.innerText())
})
