import { isOperatorCommand, helpOf as operatorHelpOf, operatorUsage, usageLine } from './operator/command.ts'
import { build } from './version.ts'

const usage = `countersign-server ${build}

Usage: countersign-server [COMMAND]

Without a command, it starts the registry. With --new-registry, it starts even
if the database is empty and the key encryption key was used before.

${[
  usageLine('keys list', 'list signing keys and their states'),
  usageLine('keys rotate [--force]', 'activate the next key, retire the active one'),
  usageLine('keys compromise KID', 'reject every token of a key from now on'),
  usageLine('keys confirm KID', 'trust a key that was suspended by a restore'),
  usageLine('keys reencrypt', 'replace the key encryption key; stop the registry first'),
  usageLine('keys reencrypt --log', 'the same for the key that encrypts the keys of the log'),
  usageLine('doctor', 'check settings, database, keys, DNS and email'),
  usageLine('backup FILE', 'write a verified backup while the registry runs'),
  usageLine('restore FILE [--replace]', 'restore a backup; stop the registry first'),
  usageLine('migrate --to-file FILE', 'copy SQLite to PostgreSQL; FILE has its URL'),
  usageLine('demo', 'add sample models, marked as such'),
].join('')}${operatorUsage}
Settings are read from the environment: see docs/self-hosting.md.
`

/** The usage of a command of the operator; of `countersign-server` for all others. */
export const helpOf = (command?: string): string =>
  command !== undefined && isOperatorCommand(command) ? operatorHelpOf(command) : usage
