import { expect, it } from 'vitest'
import { run } from '../main.ts'
import { createTestWorld } from '../test-world.ts'

const provider = ['providers', 'register', '--no-save', '--dry-run', '--json']
const model = ['models', 'register', '--identifier', 'tiny', '--dry-run', '--json']

/** Someone who types these answers, one after the other, and what they are asked and told. */
const sitting = (answers: readonly string[]) => {
  const [told, left] = [[] as string[], [...answers]]
  const text = async (question: string, objection: (answer: string) => string | undefined = () => undefined) => {
    told.push(question)
    for (let answer = left.shift(); answer !== undefined; answer = left.shift()) {
      const refused = objection(answer)
      if (refused === undefined) return answer
      told.push(refused)
    }
    throw new Error('Nothing is left to say')
  }
  const terminal = { isTerminal: true, write: () => {} }
  const prompts = { text, secret: text, confirm: async () => true }
  const world = createTestWorld({ stdin: { isTerminal: true, read: async () => new Uint8Array() }, stderr: terminal, prompts })
  return { world, told }
}

it.each([
  {
    argv: provider,
    answers: ['Acme', 'foo', 'ops@acme.example', 'bar', 'https://acme.example'],
    told: ['Company name', 'Email (address of the account)', /email/, /^Website \(/, /./],
    body: { company_name: 'Acme', email: 'ops@acme.example', website: 'https://acme.example' },
  },
  {
    argv: model,
    answers: ['Tiny', 'nowhere', 'https://api.acme.example', 'short', 'A small model for chat'],
    told: ['Display name (name for people)', 'Endpoint (where it answers)', /./, 'Description (at least 10 characters)', /10 characters/],
    body: { display_name: 'Tiny', endpoint: 'https://api.acme.example', description: 'A small model for chat' },
  },
])('each answer is judged where it is given: $argv', async ({ argv, answers, told, body }) => {
  const desk = sitting(answers)
  expect(await run(argv, desk.world)).toBe(0)
  expect(desk.told).toEqual(told.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))))
  expect(JSON.parse(desk.world.written.stdout)).toMatchObject({ body })
})

it('nobody is asked for the rest where an option cannot be right', async () => {
  const { world, told } = sitting([])
  expect(await run([...provider, '--email', 'foo'], world)).toBe(2)
  expect(told).toEqual([])
})
