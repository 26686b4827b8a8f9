#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { commandOf } from './command-of.ts'

/**
 * The entry point that the suites call. `COUNTERSIGN_PROGRAM` names a bundled command line, by default the built one;
 * `CONFORMANCE_SIGSTORE` and `CONFORMANCE_TRUSTED_ROOT` a Sigstore on this machine for keyless signatures.
 */
const { COUNTERSIGN_PROGRAM, CONFORMANCE_SIGSTORE: url, CONFORMANCE_TRUSTED_ROOT: trustedRoot } = process.env
const program = COUNTERSIGN_PROGRAM ?? fileURLToPath(new URL('../../../cli/bin/countersign.cjs', import.meta.url))

const command = commandOf(process.argv.slice(2), url && trustedRoot ? { url, trustedRoot } : undefined)
if (typeof command === 'string') {
  process.stderr.write(`${command}\n`)
  process.exitCode = 2
} else {
  const env = { ...process.env, ...command.env }
  process.exitCode = spawnSync(process.execPath, [program, ...command.args], { stdio: 'inherit', env }).status ?? 1
}
