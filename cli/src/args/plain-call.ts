import { createFlags, type Flags, type OptionRow } from './command.ts'

/**
 * Reads a call that needs no explanation. Undefined for every other, `--help` and mistakes among them: those are
 * commander's, which takes longer to load than the call takes to carry out.
 */
export const readPlainCall = (argv: readonly string[], rows: readonly OptionRow[]): { args: string[]; flags: Flags } | undefined => {
  const options = new Map(rows.flatMap(([flag]) => namesOf(flag).map((name) => [name, flag] as const)))
  const args: string[] = []
  const all: Record<string, string | boolean> = {}
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '-' || !word.startsWith('-')) {
      args.push(word)
      continue
    }
    const flag = options.get(word)
    if (flag === undefined) return undefined
    const [name, isOn] = attributeOf(flag)
    const value = takesValue(flag) ? argv[++index] : isOn
    if (value === undefined || (typeof value === 'string' && value.startsWith('-') && value !== '-')) return undefined
    all[name] = value
  }
  return { args, flags: createFlags(all) }
}

const namesOf = (flag: string) => flag.replace(/ <.*/, '').split(', ')
const takesValue = (flag: string) => flag.endsWith('>')

const attributeOf = (flag: string): [name: string, isOn: boolean] => {
  const long = (namesOf(flag).at(-1) ?? '').slice(2)
  const isOn = !long.startsWith('no-')
  return [(isOn ? long : long.slice(3)).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), isOn]
}
