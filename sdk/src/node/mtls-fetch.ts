import { createPrivateKey, X509Certificate } from 'node:crypto'
import { checkOptions, type OptionForms } from '../verify/check-options.ts'

/** Options of `createMtlsFetch`. */
export interface MtlsOptions {
  /** The client certificate and, after it, its chain; PEM. */
  cert: string | Buffer
  /** Its private key; PEM. */
  key: string | Buffer
  /** The authorities to trust instead of the well-known ones; PEM. */
  ca?: string | Buffer | undefined
  /** The passphrase of an encrypted key. */
  passphrase?: string | undefined
}

const optionForms: OptionForms<MtlsOptions> = {
  cert: 'the client certificate, as PEM',
  key: 'its private key, as PEM',
  ca: true,
  passphrase: true,
}

/** A `fetch` with a client certificate. */
export type MtlsFetch = typeof globalThis.fetch & {
  /** Closes its connections once their calls are done. */
  close(): Promise<void>
}

/**
 * Creates a `fetch` with a client certificate, for `createClient({ fetch })`. It never follows redirects. Requires the package
 * `undici`, which is loaded at the first call.
 *
 * @returns The {@link MtlsFetch}; `close` it at the end.
 * @throws `TypeError` for an unknown option, and without `cert` or `key`; an `Error` if they do not match.
 * @example
 * ```ts
 * const fetch = createMtlsFetch({ cert, key })
 * const client = createClient({ baseURL: 'https://tls.registry.example', apiKey: 'csk_…', fetch })
 * ```
 */
export const createMtlsFetch = (options: MtlsOptions): MtlsFetch => {
  checkOptions('createMtlsFetch', options, optionForms)
  const { cert, key, ca, passphrase } = options
  // Checked before OpenSSL, which ignores a key of another type and has unclear errors.
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey({ key, passphrase })))
    throw new Error('The key does not belong to the certificate')
  process.getBuiltinModule('node:tls').createSecureContext({ cert, key, ca, passphrase })
  const connect = async () => {
    // Node's own fetch takes no certificate, and undici's agent works only with undici's fetch.
    const { Agent, fetch } = await import('undici')
    return { fetch, agent: new Agent({ connect: { cert, key, ca, passphrase } }) }
  }
  let connected: ReturnType<typeof connect> | undefined

  const mtlsFetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    if (input instanceof Request) throw new TypeError('Give the address, not a Request')
    connected ??= connect()
    const { fetch, agent } = await connected
    return (await fetch(input, { ...(init as object), redirect: 'manual', dispatcher: agent })) as unknown as Response
  }
  const close = async () => {
    const open = await connected
    await open?.agent.close()
  }
  return Object.assign(mtlsFetch, { close })
}
