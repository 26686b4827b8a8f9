import { incidentCategories } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { run } from '../main.ts'
import { createTestWorld } from '../test-world.ts'

const provider = ['providers', 'register', '--no-save', '--dry-run', '--json']
const model = ['models', 'register', '--identifier', 'tiny', '--dry-run', '--json']

/** A terminal where someone types these answers in turn, and what they are shown. */
const answering = (answers: readonly string[]) => {
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
