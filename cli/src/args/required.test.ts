import { incidentCategories } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { run } from '../run.ts'
import { createTestWorld } from '../test-world.ts'
import type { World } from '../world.ts'

const provider = ['providers', 'register', '--no-save', '--dry-run', '--json']
const model = ['models', 'register', '--identifier', 'tiny', '--dry-run', '--json']

/** A terminal where someone types these answers in turn, and what they are shown. */
const answering = (answers: readonly string[], given: Partial<World> = {}) => {
  const [shown, left] = [[] as string[], [...answers]]
  const text = async (question: string, problemOf: (answer: string) => string | undefined = () => undefined) => {
    shown.push(question)
    for (let answer = left.shift(); answer !== undefined; answer = left.shift()) {
      const problem = problemOf(answer)
      if (problem === undefined) return answer
      shown.push(problem)
    }
    throw new Error('No answers left')
  }
  const select = (question: string, choices: readonly string[]) => {
    shown.push(...choices)
    return text(question)
  }
  const terminal = { isTerminal: true, write: () => {} }
  const prompts = { text, secret: text, select, confirm: async () => true }
  const world = createTestWorld({
    stdin: { isTerminal: true, read: async () => new Uint8Array() },
    stderr: terminal,
    prompts,
    ...given,
  })
  return { world, shown }
}

it.each([
  {
    argv: provider,
    answers: ['Acme', 'foo', 'ops@acme.example', 'bar', 'https://acme.example'],
    shown: ['Company name', 'Email (email address of the account)', /email/, /^Website \(/, /./],
    body: { company_name: 'Acme', email: 'ops@acme.example', website: 'https://acme.example' },
  },
  {
    argv: model,
    answers: ['Tiny', 'nowhere', 'https://api.acme.example', 'short', 'A small model for chat'],
    shown: [
      'Display name (name shown to people)',
      'Endpoint (URL of the model’s API)',
      /./,
      'Description (at least 10 characters)',
      /10 characters/,
    ],
    body: { display_name: 'Tiny', endpoint: 'https://api.acme.example', description: 'A small model for chat' },
  },
  {
    argv: ['incidents', 'report', '--link', 'W904-2CKW-GDNC-X7S1', '--title', 'It lies', '--dry-run', '--json'],
    answers: ['impersonation', 'It says that it is a bank'],
    shown: [...incidentCategories, 'Category', 'What happened'],
    body: { category: 'impersonation', description: 'It says that it is a bank' },
  },
])('checks each answer as it is typed: $argv', async ({ argv, answers, shown, body }) => {
  const desk = answering(answers)
  expect(await run(argv, desk.world)).toBe(0)
  expect(desk.shown).toEqual(shown.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))))
  expect(JSON.parse(desk.world.written.stdout)).toMatchObject({ body })
})

it('asks for nothing if an option is wrong', async () => {
  const { world, shown } = answering([])
  expect(await run([...provider, '--email', 'foo'], world)).toBe(2)
  expect(shown).toEqual([])
})

describe('an answer that the registry rejects', () => {
  /** A registry that rejects every website but this one. */
  const fetchFrom =
    (accepted: string, bodies: unknown[]): World['fetch'] =>
    async (_input, init) => {
      const body = JSON.parse(String(init?.body))
      bodies.push(body)
      const problem = {
        code: 'validation_failed',
        detail: 'The input is not valid',
        errors: [{ loc: ['body', 'website'], msg: 'Use another website', pointer: '#/website' }],
      }
      return body.website === accepted
        ? Response.json({ provider_id: 'p', api_key: 'k', key_id: 'i', domain_proof: { domain: 'acme.example' } })
        : Response.json(problem, { status: 422, headers: { 'content-type': 'application/problem+json' } })
    }
  const argv = ['providers', 'register', '--no-save']
  const names = ['--company-name', 'Acme', '--email', 'ops@acme.example']

  it('can be typed again, and the others are kept', async () => {
    const bodies: unknown[] = []
    const { world, shown } = answering(['https://other.example', 'https://acme.example'], {
      fetch: fetchFrom('https://acme.example', bodies),
    })
    expect(await run([...argv, ...names], world)).toBe(0)
    expect(shown).toEqual([expect.stringMatching(/^Website/), expect.stringMatching(/^Website/)])
    expect(bodies).toEqual([
      { company_name: 'Acme', email: 'ops@acme.example', website: 'https://other.example' },
      { company_name: 'Acme', email: 'ops@acme.example', website: 'https://acme.example' },
    ])
  })

  it('ends the command if it was an option', async () => {
    const bodies: unknown[] = []
    const { world, shown } = answering([], { fetch: fetchFrom('https://acme.example', bodies) })
    expect(await run([...argv, ...names, '--website', 'https://other.example'], world)).toBe(2)
    expect(shown).toEqual([])
    expect(bodies).toHaveLength(1)
  })
})

it('offers the identifiers of your models for a link', async () => {
  const id = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
  const models = ['atlas', 'tiny'].map((api_model_identifier) => ({ id, api_model_identifier }))
  const fetchModels: World['fetch'] = async (input) => {
    const { pathname } = new URL(String(input))
    if (pathname.endsWith('/models')) return Response.json({ models, next_cursor: null })
    return Response.json(pathname.endsWith('/me') ? { id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm' } : { code: 'x' })
  }
  const env = { COUNTERSIGN_CONFIG_DIR: '/nonexistent', COUNTERSIGN_API_KEY: 'csk_00000000_x' }
  const { world, shown } = answering(['tiny'], { env, fetch: fetchModels })
  await run(['tokens', 'mint', '--url'], world)
  expect(shown).toEqual(['atlas', 'tiny', 'Model'])
})
