import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { wrap } from '../../cli/src/io/wrap.ts'
import type { DnsServers } from '../../tests/support/dns-server.ts'
import type { CommandLine } from './command-line.ts'
import { makeClientFiles, makeModelFile } from './files.ts'
import type { Observers } from './observers.ts'

const DomainAnswer = z.object({ domain_proof: z.object({ record_name: z.string(), record_value: z.string() }) })

export interface MainJob {
  commandLine: CommandLine
  dns: DnsServers
  /** The job's files go here; it is emptied first. */
  folder: string
  tlsUrl: string
  caFile: string
  /** Undefined if the registry has other witnesses, or none. */
  observers: Observers | undefined
  say(text?: string): void
}

/** Plays a provider's steps from registering to a link that anyone can check. */
export const playMainJob = async ({
  commandLine,
  dns,
  folder,
  tlsUrl,
  caFile,
  observers,
  say,
}: MainJob): Promise<{ link: string }> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // A new provider each time, so that the job can run again on the same data.
  const domain = `acme-${randomBytes(2).toString('hex')}.example`
  const step = createSteps(say)

  step('A provider registers. Its key is saved in a profile.')
  await commandLine.show([
    'providers',
    'register',
    '--company-name',
    'Acme AI',
    '--email',
    `ops@${domain}`,
    '--website',
    `https://${domain}`,
  ])

  step('It must prove its domain with a DNS record, which is not published yet.')
  const verifyDomain = ['providers', 'verify-domain']
  await commandLine.show(verifyDomain, { mayExit: [3] })
  const { domain_proof: proof } = DomainAnswer.parse(await commandLine.ask(verifyDomain, { mayExit: [3] }))
  dns.setTxt(proof.record_name, [proof.record_value])
  say()
  say(`Published on the development DNS servers at ${dns.addresses.join(' and ')}:`)
  say(`  ${proof.record_name}  TXT\n  ${proof.record_value}`)
  await commandLine.show(verifyDomain)

  step('It registers a model from a file on disk. The digest of the file is part of the record.')
  const modelFile = makeModelFile(join(folder, 'acme-chat.safetensors'))
  const registered = await commandLine.show([
    ...[
      'models',
      'register',
      modelFile,
      '--identifier',
      'acme-chat',
      '--display-name',
      'Acme Chat',
      '--version',
      '1.0',
    ],
    ...['--endpoint', `https://api.${domain}/v1/chat`, '--description', 'A small assistant for support questions'],
  ])
  const model = found(registered, /\bmdl_\w+/)

  step('It registers the deployment that runs the model, by the key of its certificate.')
  const { certFile, keyFile } = await makeClientFiles(folder, `chat-1.${domain}`)
  await commandLine.show(['fingerprint', certFile])
  await commandLine.show(['deployments', 'register', '--cert', certFile, '--model', model])

  step('A visitor asks the AI for proof and says “blue otter 42”. The deployment mints a link over mutual TLS.')
  const minted = await commandLine.show([
    ...['tokens', 'mint', '--model', model, '--challenge', 'blue otter 42'],
    ...['--tls-url', tlsUrl, '--ca', caFile, '--cert', certFile, '--key', keyFile],
  ])
  const link = found(minted, /https?:\/\/\S+\/v\/[0-9A-Z-]+/)

  step('The visitor opens the link in a browser, or checks it here.')
  await commandLine.show(['verify', link])

  if (observers) {
    step(
      'The registry can’t change its story later: each fact behind the link is in its log, and two witnesses saw it.',
    )
    await observers.haveSeen(link)
    await commandLine.show(['log', 'proof', link, '--policy', observers.policyFile], { mayExit: [0, 9] })
  }
  return { link }
}

const createSteps = (say: MainJob['say']) => {
  let number = 0
  return (text: string) => {
    number += 1
    say()
    say(wrap(`${number}. ${text}`, process.stdout.columns, 3))
  }
}

const found = (output: string, pattern: RegExp) => {
  const [match] = pattern.exec(output) ?? []
  if (match === undefined) throw new Error(`The command's output does not match ${pattern}:\n${output}`)
  return match
}
