import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { type ModelFieldRow, modelFieldRows, modelFields } from '../sdk/src/contract/model-fields.ts'
import { type ProviderFieldRow, providerFieldRows, providerFields } from '../sdk/src/contract/provider-fields.ts'

/*
 * Adding a field is one row and a migration. The rows are added here before anything that derives from the tables is loaded.
 */
const license: ModelFieldRow = {
  kind: 'line',
  max: 12,
  label: 'License',
  section: 'specifications',
  page: 'basic',
  option: '--license <name>',
  help: 'license',
}
const motto: ProviderFieldRow = {
  kind: 'line',
  max: 12,
  label: 'Motto',
  shown: 'public',
  section: 'company',
  option: '--motto <text>',
  help: 'motto',
}
Object.assign(modelFields, { license })
modelFieldRows.push(['license' as never, license])
Object.assign(providerFields, { motto })
providerFieldRows.push(['motto' as never, motto])

const { createProgram } = await import('../cli/src/program.ts')
const { describeOnSqlite } = await import('./support/databases.ts')
const { createWorld } = await import('./support/world.ts')
const { addColumns } = await import('../server/src/db/migrations/build.ts')
const { draftOf, inputOf } = await import('../web/src/features/dashboard/model-form/model-draft.ts')
const { valuesOf } = await import('../web/src/features/dashboard/settings/profile/typed-values.ts')
const modelPage = await import('../web/src/features/models/detail/stated-facts.tsx')
const providerPage = await import('../web/src/features/providers/stated-facts.tsx')

const textOf = (element: Parameters<typeof renderToStaticMarkup>[0]) =>
  renderToStaticMarkup(createElement(MemoryRouter, null, element)).replace(/<[^>]+>/g, ' ')

describeOnSqlite('a field that is added to a table', (engine) => {
  it('is accepted, checked, stored, recorded, shown and erased', async () => {
    const world = await createWorld({ engine })
    await world.database.transaction(async (tx) => {
      await addColumns(tx, 'models', { license: 'text' })
      await addColumns(tx, 'providers', { motto: 'text' })
    })
    const acme = await world.provider('acme')
    const id = await acme.registerModel({ license: 'MIT' } as object)
    const model = await world.anyone.models.get(id)
    expect(model).toMatchObject({ license: 'MIT' })
    expect(await acme.client.models.quickEdit(id, { license: '' } as object)).toMatchObject({ license: null })
    await expect(acme.client.models.quickEdit(id, { license: 'x'.repeat(13) } as object)).rejects.toMatchObject({
      code: 'validation_failed',
    })

    const change = (text: string) => acme.client.providers.update(acme.id, { motto: text } as object)
    await change('Always')
    const provider = await world.anyone.providers.get(acme.id)
    expect(provider).toMatchObject({ motto: 'Always' })
    expect(await change('')).toMatchObject({ motto: null })
    await expect(change('x'.repeat(13))).rejects.toMatchObject({ code: 'validation_failed' })
    const { events } = await acme.client.account.events({})
    expect(events.find(({ action }) => action === 'provider.updated')).toMatchObject({
      before: { motto: 'Always' },
      after: { motto: null },
    })

    expect(textOf(createElement(modelPage.StatedFacts, { model }))).toMatch(/License\s+“MIT”/)
    expect(textOf(createElement(providerPage.StatedFacts, { provider }))).toMatch(/Motto\s+“Always”/)
    expect(inputOf(draftOf(model))).toMatchObject({ license: 'MIT' })
    expect(valuesOf(provider as never)).toMatchObject({ motto: 'Always' })

    await change('Never')
    await acme.client.providers.delete(acme.id)
    const row = await world.database.read.selectFrom('providers').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ motto: null })
  })
})

describe('a field that is added to a table', () => {
  it('has its option on the command line', async () => {
    const program = createProgram()
    await program.loadAll()
    const optionsOf = (...path: string[]) => {
      const found = path.reduce(
        (command, name) => command.commands.find((each) => each.name === name) ?? command,
        program.root,
      )
      return found.options.map(({ flags }) => flags)
    }
    expect(optionsOf('models', 'register')).toContain('--license <name>')
    expect(optionsOf('models', 'edit')).toContain('--license <name>')
    expect(optionsOf('providers', 'update')).toContain('--motto <text>')
  })
})
