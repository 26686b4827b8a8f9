import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { shapes } from '../../cli/src/shapes/index.ts'
import { createQuickCommandLine } from './in-process.ts'

/** Someone else who gets a file and has a policy: neither the registry nor the state of the person who sends it. */
export const createThirdParty = async (policy: string) => {
  // Nothing listens on this address.
  const cli = await createQuickCommandLine('http://127.0.0.1:9')
  await cli.write('third.policy', policy)
  return async (file: string, folder = cli.folder) => {
    await cli.write('received', await readFile(resolve(folder, file), 'utf8'))
    const args = ['log', 'verify', 'received', '--policy', 'third.policy', '--json']
    const { exit, stdout, stderr } = await cli.call(args)
    const answer = stdout === '' ? undefined : JSON.parse(stdout)
    const invalid = answer && shapes['log verify']?.answer?.safeParse(answer).error
    if (invalid) throw invalid
    return { exit, stderr, answer }
  }
}
