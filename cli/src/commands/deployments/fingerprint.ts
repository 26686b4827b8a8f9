import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { type Declare, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { facts } from '../../render/output.ts'
import { shownTime } from '../../render/shown-time.ts'

export const declare: Declare = (fingerprint) => {
  fingerprint
    .description(
      'Prints the SHA-256 of the SubjectPublicKeyInfo of a certificate, chain, signing request, or public or private key (PEM or DER), from a file, stdin or a server. This fingerprint stays the same when a certificate is renewed with the same key; the certificate’s own fingerprint does not.',
    )
    .argument('<source>', 'FILE, - for stdin, or HOST:PORT', { kind: 'file', readsStdin: true })
    .action(async (context, { args: [source = ''] }) => {
      const print = await readFingerprint(await bytesOf(context, source), source)
      const value = {
        spki_sha256: print.hex,
        pin: print.pin,
        cert_sha256: print.certificateSha256 ?? null,
        key: print.keyType,
        not_after: print.notAfter ?? null,
      }
      context.out.print({
        value,
        ids: [print.hex],
        text: (paint) =>
          facts(
            [
              ['SPKI SHA-256', `sha256:${print.hex}`],
              ['pin', print.pin],
              ['key', value.key],
              ['read from', print.source],
              [
                'certificate SHA-256',
                print.certificateSha256 === undefined
                  ? null
                  : `sha256:${print.certificateSha256} (changes with every renewal; not for --spki)`,
              ],
              ['expires', value.not_after && shownTime(value.not_after)],
            ],
            paint,
          ),
      })
    })
  example(fingerprint, 'fingerprint client.pem', 'fingerprint chat.acme.example:443')
}

/** Computes the SPKI fingerprint of a certificate or key; unreadable input is a usage error. */
export const readFingerprint = async (bytes: Uint8Array, name: string) => {
  const { spkiFingerprint } = await import('@countersign/sdk/node')
  try {
    return spkiFingerprint(bytes)
  } catch (error) {
    throw new Failure(
      'not_a_key',
      2,
      `${name}: ${error instanceof Error ? error.message : 'No certificate or key found'}`,
      'Give a certificate, signing request, public or private key, as PEM or DER',
      { cause: error },
    )
  }
}

const bytesOf = async ({ files, signal }: Context, source: string): Promise<Uint8Array> => {
  const address = /^(?:\[([0-9a-f:]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(source)
  if (source === '-' || address === null || (await isFile(files.pathOf(source)))) return files.read(source)
  return certificateOf(address[1] ?? address[2] ?? '', Number(address[3]), signal)
}

const isFile = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

// The certificate is only read, so it doesn't have to be trusted.
const certificateOf = async (host: string, port: number, signal: AbortSignal): Promise<Uint8Array> => {
  if (port < 1 || port > 65_535) throw usage(`${port} is not a port`)
  const { connect } = await import('node:tls')
  const socket = connect({
    host,
    port,
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
    rejectUnauthorized: false,
    timeout: 10_000,
  })
  socket.on('timeout', () => socket.destroy(new Error('no answer within 10 seconds')))
  try {
    await once(socket, 'secureConnect', { signal })
    const certificate = socket.getPeerX509Certificate()
    if (certificate === undefined) throw new Error('it sent no certificate')
    return certificate.raw
  } catch (error) {
    throw new Failure(
      'network',
      8,
      `Could not get a certificate from ${host}:${port}: ${error instanceof Error ? error.message : error}`,
      null,
      {
        cause: error,
      },
    )
  } finally {
    socket.destroy()
  }
}
