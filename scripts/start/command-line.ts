import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { wrap } from '../../cli/src/io/wrap.ts'

const program = fileURLToPath(new URL('../../cli/bin/countersign.cjs', import.meta.url))

/** Output is indented by this much. */
const indent = 2

export interface CommandLine {
  /** Runs a command, prints the command and its output, and returns the output. */
  show(args: readonly string[], options?: { mayExit?: readonly number[] }): Promise<string>
  /** Runs a command without printing it, and returns its JSON. */
  ask(args: readonly string[], options?: { mayExit?: readonly number[] }): Promise<unknown>
}

/** The real `countersign` with separate profiles, so that it never uses or replaces a saved key. */
export const createCommandLine = ({
  apiUrl,
  configDir,
  say,
}: {
  apiUrl: string
  configDir: string
  say: (text?: string) => void
}): CommandLine => {
  const env = withoutCountersign(process.env)
  const run = (args: readonly string[], extra: NodeJS.ProcessEnv = {}) =>
    new Promise<{ stdout: string; output: string; code: number | null }>((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], {
        env: { ...env, ...extra, COUNTERSIGN_API_URL: apiUrl, COUNTERSIGN_CONFIG_DIR: configDir },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let stdout = ''
      let output = ''
      child.stdout.on('data', (chunk) => {
        stdout += chunk
        output += chunk
      })
      child.stderr.on('data', (chunk) => {
        output += chunk
      })
      child.on('error', reject)
      child.on('close', (code) => resolve({ stdout, output, code }))
    })
  const expectExit = (
    args: readonly string[],
    code: number | null,
    output: string,
    mayExit: readonly number[] = [0],
  ) => {
    if (code === null || !mayExit.includes(code)) throw new Error(`\`${commandText(args)}\` exited ${code}.\n${output}`)
  }

  return {
    show: async (args, { mayExit } = {}) => {
      say()
      say(wrapCommand(`$ ${commandText(args)}`, process.stdout.columns))
      const { columns } = process.stdout
      const { stdout, output, code } = await run(args, {
        ...(process.stdout.isTTY && !env.NO_COLOR && { CLICOLOR_FORCE: '1' }),
        ...(columns !== undefined && { COUNTERSIGN_COLUMNS: String(columns - indent) }),
      })
      expectExit(args, code, output, mayExit)
      for (const line of output.trimEnd().split('\n')) say(wrap(`${' '.repeat(indent)}${line}`, columns, indent + 2))
      return stdout
    },
    ask: async (args, { mayExit } = {}) => {
      const { stdout, output, code } = await run([...args, '--json'])
      expectExit(args, code, output, mayExit)
      return JSON.parse(stdout)
    },
  }
}

/** The environment without settings of the command line. */
export const withoutCountersign = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('COUNTERSIGN_')))

/** Breaks a command before its options, so that it can be copied. */
const wrapCommand = (command: string, columns: number | undefined) => {
  if (columns === undefined || command.length <= columns) return command
  const [first = '', ...options] = command.split(/ (?=--)/)
  const lines = [first]
  for (const option of options) {
    const longer = `${lines.at(-1)} ${option}`
    if (longer.length + 2 <= columns) lines[lines.length - 1] = longer
    else lines.push(`    ${option}`)
  }
  return lines.join(' \\\n')
}

const commandText = (args: readonly string[]) => ['countersign', ...args.map(shellWord)].join(' ')

/** Quoted if the shell would read it differently. */
export const shellWord = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
