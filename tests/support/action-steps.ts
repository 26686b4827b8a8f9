import { readFileSync } from 'node:fs'

export interface Step {
  name: string
  id: string | undefined
  condition: string | undefined
  env: Record<string, string>
  run: string
}

/** The steps of a composite action. Reads only simple YAML: one line per value, scripts as blocks. */
export const readSteps = (file: string): Step[] => {
  const [, runs = ''] = readFileSync(file, 'utf8').split('\n  steps:\n')
  return runs
    .split(/^ {4}- /m)
    .slice(1)
    .map((text) => {
      const lines = text.split('\n').map((line, index) => (index === 0 ? line : line.slice(6)))
      const textOf = (key: string) => lines.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2)
      const below = (key: string) => {
        const from = lines.indexOf(key)
        const rest = from < 0 ? [] : lines.slice(from + 1)
        const end = rest.findIndex((line) => line !== '' && !line.startsWith('  '))
        return rest.slice(0, end < 0 ? undefined : end).map((line) => line.slice(2))
      }
      const env = below('env:').filter((line) => line !== '')
      const block = below('run: |')
      return {
        name: textOf('name') ?? '',
        id: textOf('id'),
        condition: textOf('if'),
        env: Object.fromEntries(
          env.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
        ),
        run: block.length > 0 ? block.join('\n') : (textOf('run') ?? ''),
      }
    })
}

/** The inputs that an action declares, with their defaults; undefined if required. */
export const readInputs = (file: string): Record<string, string | undefined> => {
  const [, inputs = ''] = /\ninputs:\n([\s\S]*?)\n\n/.exec(readFileSync(file, 'utf8')) ?? []
  return Object.fromEntries(
    inputs
      .split(/^ {2}(?=\S)/m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf(':')), /\n {4}default: '(.*)'/.exec(text)?.[1]]),
  )
}

/** Replaces `${{ … }}` by the values of a run, and evaluates conditions with `==`, `!=` and `&&`. */
export const createExpressions = (find: (path: string) => string) => ({
  fill: (text: string) => text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, path: string) => find(path)),
  holds: (condition: string | undefined): boolean =>
    condition === undefined ||
    condition === 'always()' ||
    condition.split(' && ').every((part) => {
      const [, path = '', operator, wanted] = /^([\w.-]+) (==|!=) '(.*)'$/.exec(part) ?? []
      if (operator === undefined) throw new Error(`Not a condition that is understood here: ${part}`)
      return (find(path) === wanted) === (operator === '==')
    }),
})
