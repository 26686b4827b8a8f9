import manifest from '../../../package.json' with { type: 'json' }
import { type Declare, example } from '../../args/command.ts'

export const declare: Declare = (version) => {
  version.description('Prints the version, like --version.').action(async ({ out }) => {
    const value = { version: manifest.version, node: process.versions.node }
    out.print({ value, ids: [manifest.version], text: () => `countersign ${value.version} (Node ${value.node})` })
  })
  example(version, 'version --json')
}
