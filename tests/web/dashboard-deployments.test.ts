import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spkiFingerprint } from '@countersign/sdk/node'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runAll } from '../../web/src/lists/run-all.ts'
import { randomFingerprint } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { shareBrowser } from '../support/browser.ts'
import { createAuthority, createSelfSigned } from '../support/certificates.ts'
import { isFull, itInFull } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { actOn, rowOf } from '../support/rows.ts'
import { findFlaws, findViolations, stateOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const tab = '/dashboard?tab=deployments'
const patience = Number(process.env.PATIENCE ?? 20_000)
/** Long journeys need more time on a busy machine. */
const journeyMs = 120_000

const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
const row = (page: Page, fingerprint: string) => rowOf(page, `${fingerprint.slice(0, 16)}...`)
/** The saved filters: how many there are, enabled and disabled. */
const counters = async (page: Page) =>
  (await page.getByRole('navigation', { name: 'Saved filters' }).locator('a span').allInnerTexts()).slice(0, 3)
const details = (page: Page) => page.getByRole('dialog', { name: /^Deployment [0-9a-f]{16}/ })

const createFiles = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return async (name: string, text: string) => {
    const path = join(folder, name)
    await writeFile(path, text)
    return path
  }
}

describe('the deployments of a provider', () => {
  it(
    'are registered from a certificate file, of which only the key is sent, then proven, assigned to models and disabled',
    async () => {
      const world = await createWorld()
      const acme = await world.provider('acme')
      const modelId = await acme.registerModel({ version: '1.0, files signed' })
      const other = await acme.registerModel({ display_name: 'Atlas Draw' })
      const write = await createFiles()
      const authority = await createAuthority('Acme CA')
      const credential = await createSelfSigned('gpu-1', undefined, { spiffeId: 'spiffe://acme.example/gpu-1' })
      const { hex } = spkiFingerprint(credential.cert)
      const { page, visit } = await openOwner(browser, world, acme)
      page.setDefaultTimeout(patience)
      const bodies: string[] = []
      page.on('request', (request) => bodies.push(request.postData() ?? ''))

      await visit(tab)
      expect(await stateOf(page)).toBe('empty')
      await page.getByText('No deployments registered').waitFor()
      await page.getByText('countersign deployments register --cert').waitFor()
      if (isFull) expect(await findViolations(page)).toEqual([])

      const opener = page.getByRole('button', { name: 'Register Deployment' })
      await opener.click()
      const dialog = page.getByRole('dialog', { name: 'Register Deployment' })
      await inDialog(page, 'Register Deployment').click()
      await dialog.getByText('SPKI fingerprint must be exactly 64 hex characters').waitFor()
      const fingerprint = dialog.getByLabel('SPKI fingerprint')
      await fingerprint.fill('g'.repeat(64))
      await dialog.getByText('SPKI fingerprint must be valid hex').waitFor()
      const file = dialog.locator('input[type=file]')
      await file.setInputFiles(await write('notes.txt', 'nothing of the kind'))
      await dialog.getByText('There is no certificate, certificate request or key in this file.').waitFor()
      await file.setInputFiles(await write('all.pem', `${credential.key}\n${credential.cert}\n${authority.cert}`))
      await dialog.getByText('Certificate, the first in a chain of 2').waitFor()
      for (const shown of [
        'CN=gpu-1',
        'Itself (self-signed)',
        'EC P-256',
        'This file contains a private key. It was not stored or sent',
      ])
        await dialog.getByText(shown).waitFor()
      expect(await fingerprint.inputValue()).toBe(hex)
      expect(await dialog.getByLabel(/^SPIFFE ID/).inputValue()).toBe('spiffe://acme.example/gpu-1')
      await inDialog(page, 'Add label').click()
      await dialog.getByLabel('Name of label 1').fill('region')
      await dialog.getByLabel('Value of label 1').fill('eu')
      await inDialog(page, 'Edit as JSON').click()
      const json = dialog.getByLabel('Labels as JSON')
      expect(JSON.parse(await json.inputValue())).toEqual({ region: 'eu' })
      await json.fill('["region"]')
      await inDialog(page, 'Register Deployment').click()
      await dialog.getByText('Labels must be a JSON object, such as {"region": "eu"}').waitFor()
      expect(await findViolations(page)).toEqual([])
      await json.fill('{"region": "eu", "tier": "gold"}')

      // Escape closes the form; the typed text returns, even after a reload.
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
      await opener.click()
      await page.reload()
      expect(await fingerprint.inputValue()).toBe(hex)
      expect(JSON.parse(await json.inputValue())).toEqual({ region: 'eu', tier: 'gold' })
      await inDialog(page, 'Register Deployment').click()
      await page.getByText('Deployment registered successfully').waitFor()
      await dialog.waitFor({ state: 'detached' })
      expect(bodies.join('')).not.toMatch(/PRIVATE|BEGIN|CERTIFICATE/)
      const [registered] = (await acme.client.deployments.list()).deployments
      expect(registered).toMatchObject({
        spki_fingerprint: hex,
        spiffe_id: 'spiffe://acme.example/gpu-1',
        cloud_identity: null,
        labels: { region: 'eu', tier: 'gold' },
      })
      expect(await counters(page)).toEqual(['1', '1', '0'])
      const own = row(page, hex)
      for (const shown of [
        registered?.deployment_id ?? '',
        '“region=eu”, “tier=gold”',
        'Enabled',
        'Not proven',
        'No model',
      ])
        await own.getByText(shown, { exact: false }).filter({ visible: true }).first().waitFor()
      await own.getByRole('link').click()
      await details(page).getByText('No models yet. Add one', { exact: false }).waitFor()
      await details(page).getByText('“spiffe://acme.example/gpu-1”', { exact: true }).waitFor()
      expect(await findFlaws(page, '[role=dialog]')).toEqual([])
      await page.keyboard.press('Escape')

      // Registering again: the key already exists.
      await opener.click()
      expect(await fingerprint.inputValue()).toBe('')
      // A file is dropped, and a text pasted into the fingerprint field.
      const second = await createSelfSigned('gpu-2')
      const dropped = await page.evaluateHandle((text) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([text], 'gpu-2.pem'))
        return transfer
      }, second.cert)
      await dialog.getByText('Drop a certificate', { exact: false }).dispatchEvent('drop', { dataTransfer: dropped })
      await dialog.getByText('CN=gpu-2').waitFor()
      expect(await fingerprint.inputValue()).toBe(spkiFingerprint(second.cert).hex)
      expect(await dialog.getByLabel(/^SPIFFE ID/).inputValue()).toBe('')
      await inDialog(page, 'Remove this file').click()
      expect(await fingerprint.inputValue()).toBe('')
      await fingerprint.evaluate((field, text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', text)
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, credential.cert)
      await dialog.getByText('CN=gpu-1').waitFor()
      await fingerprint.fill(hex)
      await inDialog(page, 'Register Deployment').click()
      await dialog.getByText('Failed to register deployment').waitFor()
      await dialog.getByText('SPKI fingerprint already registered').first().waitFor()
      await inDialog(page, 'Start over').click()
      await page.keyboard.press('Escape')

      // Only models that are not authorized yet are offered.
      await actOn(own, 'Add Model')
      const choice = page.getByRole('dialog', { name: 'Add Model' }).getByRole('combobox', { name: 'Model' })
      await expect.poll(() => choice.locator('option').count()).toBe(3)
      await choice.selectOption(modelId)
      expect(await findViolations(page)).toEqual([])
      await inDialog(page, 'Authorize').click()
      await page.getByText('Deployment authorized for model').waitFor()
      await own.getByText('“Atlas Chat 1.0, files signed”', { exact: true }).waitFor()
      await actOn(own, 'Add Model')
      await choice.waitFor()
      await expect
        .poll(() => choice.locator('option').evaluateAll((all) => all.map((each) => each.getAttribute('value'))))
        .toEqual(['', other])
      await acme.client.models.allowDeployment(other, { deployment_id: registered?.deployment_id ?? '' })
      await choice.selectOption(other)
      await inDialog(page, 'Authorize').click()
      await page
        .getByRole('dialog')
        .getByText('Deployment already authorized for this model')
        .or(page.getByText('This deployment is authorized for all of your models.'))
        .first()
        .waitFor()
      await page.keyboard.press('Escape')
      await own.getByText('“Atlas Chat 1.0, files signed” +1').waitFor()

      // Shows the last proof.
      const tls = await world.startTls()
      const minted = await ask(`${tls.url}/api/v1/create-verification`, {
        method: 'POST',
        headers: { 'X-API-Key': acme.apiKey },
        body: { model_id: modelId },
        tls: { ...credential, ca: tls.ca },
      })
      expect(minted).toMatchObject({ status: 201 })
      await page.reload()
      await own.getByText('Proven by mutual TLS').filter({ visible: true }).waitFor()

      // Disabled at once, and enabled again.
      await actOn(own, 'Disable')
      await page.getByText('Deployment disabled').waitFor()
      expect(await counters(page)).toEqual(['1', '0', '1'])
      await actOn(own, 'Enable')
      await page.getByText('Deployment enabled').waitFor()

      await own.getByRole('link').click()
      await details(page).getByRole('button', { name: 'Revoke “Atlas Chat 1.0, files signed”' }).click()
      await page.getByRole('dialog', { name: 'Revoke “Atlas Chat 1.0, files signed”?' }).waitFor()
      await inDialog(page, 'Revoke').click()
      await page.getByText('Model authorization revoked').waitFor()
      await page.keyboard.press('Escape')

      await actOn(own, 'Delete')
      const asks = page.getByRole('dialog', { name: `Delete deployment ${hex.slice(0, 16)}...?` })
      await asks
        .getByText(
          'This will permanently delete the deployment and remove all model authorizations. This action cannot be undone.',
        )
        .waitFor()
      expect(await findViolations(page)).toEqual([])
      await inDialog(page, 'Delete Deployment').click()
      await page.getByText('Deployment deleted').waitFor()
      await page.getByText('No deployments registered').waitFor()
      expect((await acme.client.deployments.list()).deployments).toEqual([])
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
    },
    journeyMs,
  )

  itInFull(
    'are searched, selected and changed together, two hundred without delay',
    async () => {
      const world = await createWorld()
      const acme = await world.provider('acme')
      const fingerprints = Array.from({ length: 200 }, randomFingerprint)
      const regionOf = (index: number) => (index % 4 === 0 ? 'eu' : 'us')
      await runAll([...fingerprints.entries()], ([index, spki_fingerprint]) =>
        acme.client.deployments.register({
          spki_fingerprint,
          labels: { region: regionOf(index), host: `gpu-${index}` },
        }),
      )
      const { page, visit } = await openOwner(browser, world, acme)
      page.setDefaultTimeout(patience)
      await visit(tab)
      expect(await stateOf(page)).toBe('ready')
      expect(await counters(page)).toEqual(['200', '200', '0'])
      const took = await page.evaluate(async () => {
        const began = performance.now()
        document.querySelector<HTMLElement>('thead input[type=checkbox]')?.click()
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
        return performance.now() - began
      })
      expect(took).toBeLessThan(1_000)
      expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_500)
      await page.getByText('200 deployments selected').waitFor()
      await page.getByRole('button', { name: 'Clear selection' }).click()

      await page.getByRole('searchbox', { name: 'Search deployments' }).fill('region=eu')
      await page.getByText('50 of 200 deployments').waitFor()
      expect(new URL(page.url()).searchParams.get('q')).toBe('region=eu')
      await page.getByRole('checkbox', { name: 'Select all shown' }).check()
      // One was deleted in another tab meanwhile.
      const [gone] = (await acme.client.deployments.list({ limit: 100 }).toArray()).filter(
        ({ labels }) => labels.region === 'eu',
      )
      await acme.client.deployments.delete(gone?.deployment_id ?? '')
      await page.getByRole('button', { name: 'Disable', exact: true }).click()
      await expect
        .poll(() => page.getByRole('dialog', { name: 'Disable 50 deployments?' }).getByRole('listitem').count())
        .toBe(50)
      // One keystroke must not end the links of fifty servers.
      expect(await inDialog(page, 'Disable').getAttribute('aria-disabled')).toBe('true')
      await page.getByLabel('Type 50 to confirm').fill('50')
      await inDialog(page, 'Disable').click()
      await page.getByText('49 deployments disabled').waitFor()
      await page.getByText('1 deployment could not be changed').waitFor()
      await expect.poll(() => counters(page)).toEqual(['199', '150', '49'])

      await page.getByRole('link', { name: 'Disabled 49' }).click()
      await page.getByText('49 of 199 deployments').waitFor()
      await page.getByRole('searchbox', { name: 'Search deployments' }).fill('host=nowhere')
      await page.getByText('No deployments match your search').waitFor()
      await page.getByRole('button', { name: 'Clear search' }).click()
      await page.getByText('199 deployments', { exact: true }).waitFor()

      await page.getByRole('searchbox', { name: 'Search deployments' }).fill('host=gpu-17')
      await page.getByText('11 of 199 deployments').waitFor()
      await page.getByRole('checkbox', { name: 'Select all shown' }).check()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      // Deletion is permanent: the dialog names all and asks for their number.
      await expect
        .poll(() => page.getByRole('dialog', { name: 'Delete 11 deployments?' }).getByRole('listitem').count())
        .toBe(11)
      expect(await inDialog(page, 'Delete').getAttribute('aria-disabled')).toBe('true')
      await page.getByLabel('Type 11 to confirm').fill('11')
      expect(await findViolations(page)).toEqual([])
      await inDialog(page, 'Delete').click()
      await page.getByText('11 deployments deleted').waitFor()
      await page.getByText('No deployments match your search').waitFor()
      expect(await counters(page)).toEqual(['188', '141', '47'])
    },
    journeyMs,
  )

  itInFull('show what failed, with the registry’s message', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { deployment_id, spki_fingerprint } = await acme.registerDeployment()
    const { page, visit } = await openOwner(browser, world, acme)
    page.setDefaultTimeout(patience)
    await page.route('**/api/v1/deployments?*', (route) => route.fulfill({ status: 503, body: '' }))
    await visit(tab)
    expect(await stateOf(page)).toBe('failed')
    await page.getByText('Failed to load deployments').waitFor()
    await page.unroute('**/api/v1/deployments?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    const own = row(page, spki_fingerprint)
    await own.waitFor()

    await page.route('**/status', (route) => route.fulfill({ status: 500, body: '' }))
    await actOn(own, 'Disable')
    await page.getByText('Failed to update deployment status').waitFor()
    expect(await counters(page)).toEqual(['1', '1', '0'])
    await acme.client.deployments.delete(deployment_id)
    await actOn(own, 'Delete')
    await inDialog(page, 'Delete Deployment').click()
    await page
      .getByRole('dialog')
      .getByText(/^Failed to delete deployment: /)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('No deployments registered').waitFor()
  })

  itInFull('look right', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const modelId = await acme.registerModel({ display_name: 'Atlas Chat with a very long name that goes on and on' })
    const { deployment_id } = await acme.client.deployments.register({
      spki_fingerprint: randomFingerprint(),
      spiffe_id: `spiffe://acme.example/${'a-long-path/'.repeat(6)}gpu`,
      cloud_identity: 'arn:cloud:iam::123456789012:role/atlas',
      labels: { region: 'eu-north', 'k8s.io/pod': 'gpu-1'.repeat(12) },
    })
    await acme.client.models.allowDeployment(modelId, { deployment_id })
    const { deployment_id: off } = await acme.registerDeployment([modelId])
    await acme.client.deployments.setStatus(off, { status: 'disabled' })
    const { page, visit } = await openOwner(browser, world, acme)
    page.setDefaultTimeout(patience)
    await visit(tab)
    expect(await stateOf(page)).toBe('ready')
    expect(await findFlaws(page)).toEqual([])
    await page.getByRole('button', { name: 'Register Deployment' }).click()
    const dialog = page.getByRole('dialog')
    const { cert } = await createSelfSigned('gpu-1', undefined, {
      isExpired: true,
      spiffeId: 'spiffe://acme.example/gpu-1',
    })
    await dialog.locator('input[type=file]').setInputFiles({ name: 'a.pem', mimeType: '', buffer: Buffer.from(cert) })
    await dialog.getByText('The certificate has expired.').waitFor()
    await inDialog(page, 'Add label').click()
    expect(await findFlaws(page, '[role=dialog]')).toEqual([])
  })
})
