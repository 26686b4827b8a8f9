import { createClient } from '@countersign/sdk'
import { expect, it } from 'vitest'
import { createWorld } from '../support/world.ts'

it('repeats a call with a lost response under the same key, and creates one object', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  const keys: (string | null)[] = []
  const answers: number[] = []
  const client = createClient({
    baseURL: world.address,
    apiKey: acme.apiKey,
    onRetry: ({ error }) => expect(error).toMatchObject({ name: 'ConnectionError' }),
    fetch: async (input, init) => {
      keys.push(new Headers(init?.headers).get('Idempotency-Key'))
      const answer = await fetch(input, init)
      answers.push(answer.status)
      if (keys.length === 1) throw new TypeError('fetch failed')
      return answer
    },
  })
  const { model_id } = await client.models.register({
    display_name: 'Atlas',
    api_model_identifier: 'atlas',
    description: 'A model that answers questions.',
    endpoint: 'https://api.acme.example',
  })
  expect(answers).toEqual([201, 201])
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
  expect(await world.database.read.selectFrom('models').select('id').execute()).toEqual([{ id: model_id }])
})
