import type { Question, Reply } from './process.ts'
import type { TokenSettings } from './token.ts'

// Runs in a process of its own, because a module is foreign code that may crash or hang.

const lockingCodes = [0xa0, 0xa1, 0xa2, 0xa3, 0xa4]

const kindOf = (error: unknown): 'pin' | 'missing' | 'other' => {
  if (error instanceof Error && error.name === 'MissingKeyError') return 'missing'
  const code = error instanceof Error && 'code' in error ? Number(error.code) : 0
  return lockingCodes.includes(code) ? 'pin' : 'other'
}

const reply = (message: Reply) => process.send?.(message)

const serve = async (settings: TokenSettings) => {
  const { openToken } = await import('./token.ts')
  const token = openToken(settings)
  return (question: Question) => {
    if (question.ask === 'create') return token.create()
    if (question.ask === 'remove') return token.remove(question.key)
    return token.sign(question.key, question.input)
  }
}

let answer: ReturnType<typeof serve> | undefined

process.on(
  'message',
  async ({ id, settings, question }: { id: number; settings: TokenSettings; question: Question }) => {
    try {
      answer ??= serve(settings)
      reply({ id, value: (await answer)(question) })
    } catch (error) {
      reply({ id, error: { kind: kindOf(error), message: error instanceof Error ? error.message : String(error) } })
    }
  },
)
// The registry signs until its last response is sent, and then disconnects.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
