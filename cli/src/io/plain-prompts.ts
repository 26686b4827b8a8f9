import { createInterface } from 'node:readline'
import { Interruption } from '../failure.ts'
import type { Prompts } from './prompt.ts'

/** Prompts for a terminal whose cursor does not move: one line each. */
export const createPlainPrompts = (signal: AbortSignal): Prompts => {
  const ask = (question: string) => {
    process.stderr.write(question)
    return readLine(signal)
  }
  return {
    text: async (question, objection) => {
      for (;;) {
        const answer = (await ask(`${question}: `)).trim()
        if (answer === '') continue
        const refused = objection?.(answer)
        if (refused === undefined) return answer
        process.stderr.write(`${refused}\n`)
      }
    },
    secret: (question) => readHidden(signal, `${question} (not shown): `),
    select: async (question, choices) => {
      for (const [index, choice] of choices.entries()) process.stderr.write(`${index + 1}. ${choice}\n`)
      for (;;) {
        const answer = (await ask(`${question} (1 to ${choices.length}): `)).trim()
        const chosen = choices[Number(answer) - 1] ?? choices.find((choice) => choice === answer)
        if (chosen !== undefined) return chosen
      }
    },
    confirm: async (question) => /^y(es)?$/i.test((await ask(`${question} (y/N) `)).trim()),
  }
}

const readLine = (signal: AbortSignal) =>
  new Promise<string>((resolve, reject) => {
    const input = createInterface({ input: process.stdin, terminal: false })
    const leave = (end: () => void) => () => {
      signal.removeEventListener('abort', aborted)
      input.removeAllListeners()
      input.close()
      end()
    }
    const aborted = leave(() => reject(signal.reason))
    signal.addEventListener('abort', aborted, { once: true })
    input.once('line', (line) => leave(() => resolve(line))())
    input.once(
      'close',
      leave(() => reject(new Interruption('SIGINT'))),
    )
  })

/** Turns the terminal's echo off before prompting. */
const readHidden = (signal: AbortSignal, question: string) =>
  new Promise<string>((resolve, reject) => {
    const { stdin, stderr } = process
    let typed = ''
    const leave = (end: () => void) => {
      stdin.off('data', take)
      signal.removeEventListener('abort', aborted)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      end()
    }
    const aborted = () => leave(() => reject(signal.reason))
    const take = (chunk: Buffer) => {
      for (const character of chunk.toString('utf8')) {
        if (character === '\r' || character === '\n') return leave(() => resolve(typed))
        if (character === '\u0003' || character === '\u0004') return leave(() => reject(new Interruption('SIGINT')))
        typed = character === '\u007f' || character === '\b' ? [...typed].slice(0, -1).join('') : typed + character
      }
    }
    signal.addEventListener('abort', aborted, { once: true })
    stdin.setRawMode(true)
    stdin.on('data', take)
    stdin.resume()
    stderr.write(question)
  })
