import { Refusal } from '@countersign/sdk/contract'
import { portSettingOf, readCommandConfig, readConfig, readDoctorConfig } from './config.ts'
import { brokenExit, DamageError } from './damage.ts'
import { failureOf } from './db/retry.ts'
import { ConfigError } from './settings/setting.ts'
import { ModuleError } from './signing/pkcs11/process.ts'
import { build } from './version.ts'

/** Commands load what they use: a registry's modules take a third of a second. */
const main = async (args: readonly string[]) => {
  // The registry's files are private: the database contains addresses and encrypted keys.
  process.umask(0o077)
  const [command] = args
  const isHelp = args.some((arg) => arg === '--help' || arg === '-h')
  if (!isHelp && (command === undefined || command === '--new-registry')) {
    const { start } = await import('./start.ts')
    return start(args)
  }
  // `countersign-server log show | head` closes the output early, and needs no more.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  // Before any setting is read: `keys rotate --help` must change nothing.
  if (isHelp || command === undefined || command === 'help') {
    const { helpOf } = await import('./help.ts')
    process.stdout.write(helpOf(command))
    return
  }
  await run(command, args)
}

const run = async (command: string, args: readonly string[]) => {
  switch (command) {
    case 'keys': {
      const { runKeysCommand } = await import('./signing/command.ts')
      return runKeysCommand(args.slice(1), readCommandConfig())
    }
    case 'backup':
    case 'restore':
    case 'migrate': {
      const { runBackupCommand } = await import('./backup/command.ts')
      return runBackupCommand(args, readCommandConfig())
    }
    case 'doctor': {
      const { runDoctor } = await import('./doctor/command.ts')
      return runDoctor(readDoctorConfig)
    }
    case 'demo': {
      const { runDemoCommand } = await import('./demo/command.ts')
      return runDemoCommand(readConfig())
    }
    case '--version': {
      const { newestSchema } = await import('./db/migrate.ts')
      return void process.stdout.write(`${build}, schema ${newestSchema}\n`)
    }
  }
  const { isOperatorCommand, runOperatorCommand } = await import('./operator/command.ts')
  if (isOperatorCommand(command)) return runOperatorCommand(command, args.slice(1), readCommandConfig())
  const { helpOf } = await import('./help.ts')
  process.stdout.write(helpOf())
  process.exitCode = 2
}

const describeFailure = (error: unknown) => {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE')
    return `${error.message}. Set ${portSettingOf('port' in error ? error.port : undefined)} to a free port.`
  const isExplained =
    error instanceof ConfigError ||
    error instanceof DamageError ||
    error instanceof Refusal ||
    error instanceof ModuleError ||
    // An unknown database or a rejected password.
    ('code' in error && /^(3D|28)[0-9A-Z]{3}$/.test(String(error.code))) ||
    failureOf(error) === 'connection'
  return isExplained ? error.message : (error.stack ?? error.message)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`countersign-server: ${describeFailure(error)}\n`)
  process.exit(error instanceof DamageError ? brokenExit : 1)
})
