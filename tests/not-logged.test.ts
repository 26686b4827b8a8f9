import { expect, it } from 'vitest'
import { createCommandLine } from './cli/process.ts'
import { shareBrowser } from './support/browser.ts'
import { findFlaws, openVisitor } from './support/visitor.ts'
import { createWorld } from './support/world.ts'

it('a link with a fact that is missing in the log says so on its page and in the command line, and stays verified', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const { verification_url } = await acme.client.verifications.create({ model_id })
  // A minute later, everything should be in the log.
  world.clock.advance('61s')

  const page = await openVisitor(await shareBrowser())
  await page.goto(verification_url)
  await page.locator('summary').filter({ hasText: 'What was checked' }).click()
  const row = page.locator('[data-check=log]')
  await row.getByText('A fact behind this link is not in the public log.').waitFor()
  expect(await row.innerText()).toContain('Not logged')
  expect(await findFlaws(page)).toEqual([])

  const cli = await createCommandLine(world.address)
  const { exit, stdout } = await cli.call(['verify', verification_url])
  expect(exit).toBe(0)
  expect(stdout).toMatch(/- log: A fact behind this link is not in the public log\./)
  expect(JSON.parse((await cli.call(['verify', verification_url, '--json'])).stdout)).toMatchObject({
    result: 'verified',
  })
})
