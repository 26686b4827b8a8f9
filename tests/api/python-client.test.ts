import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { commit } from '../support/hub-server.ts'
import { findPython } from '../support/python.ts'
import { createWorld } from '../support/world.ts'

const run = promisify(execFile)
const { program, why } = await findPython()
const skipped = why === undefined ? '' : ` (skipped: ${why})`

it.skipIf(why !== undefined)(
  `a Python client written for another registry works unchanged${skipped}`,
  { timeout: 60_000 },
  async () => {
    const world = await createWorld()
    world.hub.publish('acme/atlas-chat', { sha: commit('a'), pipeline_tag: 'text-generation' })
    const { apiKey, id, domain } = await world.provider('northwind')
    const script = fileURLToPath(new URL('python_client.py', import.meta.url))
    const { stdout } = await run(program, [script, world.address, apiKey, id, domain])
    const calls = Object.entries<string>(JSON.parse(stdout))
    expect(calls.length).toBeGreaterThan(40)
    const refused = calls.filter(([, outcome]) => outcome !== 'ok')
    expect(refused.map(([call, outcome]) => [call, outcome.split(':')[0]])).toEqual([
      ['refused with 401', 'AuthenticationError'],
      ['refused with 404', 'NotFoundError'],
      ['refused with 409', 'ConflictError'],
      ['refused with 422', 'ValidationError'],
    ])
  },
)
