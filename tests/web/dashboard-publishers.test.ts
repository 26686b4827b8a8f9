import { tokenExchange } from '@countersign/sdk/contract'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { githubJob } from '../support/ci-issuer.ts'
import { isFull } from '../support/full.ts'
import { expectQuoted, hostile, labelsIn } from '../support/hostile.ts'
import { openOwner } from '../support/owner.ts'
import { findViolations, overflowOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const address = '/dashboard?tab=settings&section=publishers'

it('a workflow is trusted, listed with its use and rejections, and removed', async () => {
  const other = { kind: 'other', issuer: 'https://ci.acme.example/,verified' } as const
  const world = await createWorld({ oidcIssuers: [{ kind: 'gitlab', issuer: 'https://gitlab.com' }, other] })
  const acme = await world.provider('acme')
  const { page, visit } = await openOwner(browser, world, acme)
  await visit(address)
  await page.getByText('No trusted workflow yet').waitFor()
  await page.getByText('countersign publishers add --github').waitFor()
  if (isFull) expect(await findViolations(page)).toEqual([])

  const opener = page.getByRole('button', { name: 'Add a publisher' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Add a trusted publisher' })
  const submit = dialog.getByRole('button', { name: 'Add publisher' })
  await submit.click()
  await dialog.getByText('Repository is required').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('repository')
  await dialog.getByLabel('Repository', { exact: true }).fill('https://github.com/acme/models')
  await dialog.getByLabel('Workflow file').fill('release.txt')
  await dialog.getByText('Must be the name of a file in .github/workflows').waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await opener.click()
  expect(await dialog.getByLabel('Repository', { exact: true }).inputValue()).toBe('')
  await dialog.getByLabel('Repository', { exact: true }).fill('https://github.com/acme/models')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)

  // The typed text is restored, and the other kind of issuer has its own labels.
  await page.goto(`${world.publicUrl}${address}&publisher=new`)
  expect(await dialog.getByLabel('Repository', { exact: true }).inputValue()).toBe('https://github.com/acme/models')
  await dialog.getByLabel('Platform').selectOption({ label: 'GitLab CI/CD' })
  await dialog.getByLabel('Project', { exact: true }).waitFor()
  await dialog.getByLabel('Platform').selectOption({ label: 'GitHub Actions' })
  await dialog.getByLabel('Workflow file').fill('release.yml')
  await dialog.getByLabel('Environment').fill('release')
  await submit.click()
  await page.getByText('Publisher added').waitFor()
  const list = page.getByRole('list', { name: 'Trusted publishers' })
  await list.getByText('The repository’s number is fixed at first use').waitFor()
  await list.getByText('Never used').waitFor()

  await page.getByText('Show the workflow').click()
  const snippet = await list.locator('pre').innerText()
  expect(snippet).toContain('    environment: release\n    permissions:\n      contents: read\n      id-token: write')
  expect(snippet).toContain(`COUNTERSIGN_API_URL: ${world.publicUrl}`)
  expect(snippet).toContain(`countersign auth login --oidc --provider ${acme.id}`)
  expect(snippet).toContain('--new-version --version "$GITHUB_REF_NAME"')
  expect(await findViolations(page)).toEqual([])
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await overflowOf(page), `${width}`).toBe(0)
  }

  const exchange = (environment?: string) =>
    world.anyone.publishers.exchange({
      grant_type: tokenExchange.grantType,
      subject_token: world.jobIssuer.vouch(world.publicUrl, githubJob({ environment })),
      subject_token_type: tokenExchange.idToken,
      provider_id: acme.id,
    })
  await exchange('release')
  await exchange().catch(() => {})
  await page.reload()
  await list.getByText('Repository number 740112233').waitFor()
  await list.getByText(/^Last used /).waitFor()
  await list.getByText(/^Last rejected .*: tried outside the environment$/).waitFor()
  await world.startReplica({ oidcIssuers: [] })
  await page.reload()
  await list.getByText('The registry no longer accepts this issuer').waitFor()
  await page.getByRole('button', { name: 'Remove “release.yml” of “acme/models”' }).click()
  const confirm = page.getByRole('dialog', { name: 'Remove this publisher?' })
  await confirm.getByText('“release.yml” of “acme/models”').waitFor()
  await confirm.getByRole('button', { name: 'Remove publisher' }).click()
  await page.getByText('Publisher removed').waitFor()
  await page.getByText('No trusted workflow yet').waitFor()
  await expect(exchange('release')).rejects.toMatchObject({ code: 'publisher_mismatch' })

  // What a member or a thief chose is only in quotation marks.
  await acme.client.publishers.add({ ...other, subject: hostile })
  await acme.client.publishers.add({
    kind: 'github',
    issuer: world.jobIssuer.issuer,
    repository: 'acme/openai-verified',
    workflow: 'x”.verified“.yml',
    environment: hostile,
  })
  await page.reload()
  await expect.poll(() => list.getByText('Never used').count()).toBe(2)
  expectQuoted(await list.innerText())
  for (const label of await labelsIn(list)) expectQuoted(label)
  for (const left of [1, 0]) {
    await list
      .getByRole('button', { name: /^Remove / })
      .first()
      .click()
    await confirm.getByRole('button', { name: 'Remove publisher' }).waitFor()
    expectQuoted(await confirm.innerText())
    await confirm.getByRole('button', { name: 'Remove publisher' }).click()
    await expect.poll(() => list.getByText('Never used').count()).toBe(left)
  }
}, 60_000)
