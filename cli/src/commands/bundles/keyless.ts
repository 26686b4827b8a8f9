import type { ModelToSign } from '@countersign/sdk/integrity'
import { Failure } from '../../failure.ts'

export interface Services {
  fulcioUrl?: string | undefined
  rekorUrl?: string | undefined
  /** Version of the log. Version 2 gives no time; a timestamp authority does. */
  rekorVersion: 1 | 2
  tsaUrl?: string | undefined
}

const publicSigstore = {
  fulcio: 'https://fulcio.sigstore.dev',
  rekor: { 1: 'https://rekor.sigstore.dev', 2: 'https://log2025-1.rekor.sigstore.dev' },
  tsa: { 1: undefined, 2: 'https://timestamp.sigstore.dev' },
} as const
const patience = { timeout: 20_000, retry: { retries: 2, minTimeout: 500 } }

/**
 * Signs with the identity of the CI job: exchanges its token for a certificate that lives for ten minutes, and records the
 * signature in a public log. The key never leaves this process's memory.
 */
export const signKeyless = async (
  model: ModelToSign,
  { fulcioUrl, rekorUrl, rekorVersion, tsaUrl }: Services,
): Promise<string> => {
  const [sign, { bundleToJSON }, { modelStatement }] = await Promise.all([
    import('@sigstore/sign'),
    import('@sigstore/bundle'),
    import('@countersign/sdk/integrity'),
  ])
  const signer = new sign.FulcioSigner({
    fulcioBaseURL: fulcioUrl ?? publicSigstore.fulcio,
    identityProvider: new sign.CIContextProvider('sigstore'),
    ...patience,
  })
  const tsaBaseURL = tsaUrl ?? publicSigstore.tsa[rekorVersion]
  const witnesses = [
    new sign.RekorWitness({
      rekorBaseURL: rekorUrl ?? publicSigstore.rekor[rekorVersion],
      majorApiVersion: rekorVersion,
      // After a timeout the entry may exist; then fetch it instead of creating it again.
      fetchOnConflict: true,
      ...patience,
    }),
    ...(tsaBaseURL === undefined ? [] : [new sign.TSAWitness({ tsaBaseURL, ...patience })]),
  ]
  const data = Buffer.from(JSON.stringify(modelStatement(model)))
  try {
    const bundle = await new sign.DSSEBundleBuilder({ signer, witnesses }).create({
      data,
      type: 'application/vnd.in-toto+json',
    })
    return JSON.stringify(bundleToJSON(bundle))
  } catch (error) {
    throw failureOf(error)
  }
}

const messages = {
  IDENTITY_TOKEN_READ_ERROR: [
    'No CI job identity found',
    'In GitHub Actions, give the job permissions: id-token: write. Elsewhere, set SIGSTORE_ID_TOKEN to a token for the audience sigstore',
  ],
  IDENTITY_TOKEN_PARSE_ERROR: [
    'The identity token of this job could not be read',
    'It must be a JWT with sub or email, for the audience sigstore',
  ],
  CA_CREATE_SIGNING_CERTIFICATE_ERROR: [
    'The authority issued no certificate',
    'Check --fulcio-url, and that the token is new and belongs to this job',
  ],
  TLOG_CREATE_ENTRY_ERROR: ['The log did not record the signature', 'Check --rekor-url, and try again'],
  TLOG_FETCH_ENTRY_ERROR: ['The log recorded the signature but did not return it', 'Try again'],
  TSA_CREATE_TIMESTAMP_ERROR: ['The signature was not timestamped', 'Check --tsa-url, and try again'],
} as const satisfies Record<string, readonly [string, string]>

const failureOf = (error: unknown) => {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const [message, hint] = messages[code as keyof typeof messages] ?? ['The model could not be signed', 'Try again']
  const isOwn = code.startsWith('IDENTITY_TOKEN')
  // Errors from the packages about a token may contain the token.
  const why = isOwn ? '' : reasonOf(error)
  return new Failure(
    isOwn ? 'unauthorized' : 'network',
    isOwn ? 4 : 8,
    why === '' ? message : `${message}: ${why}`,
    hint,
    { cause: error },
  )
}

const reasonOf = (error: unknown) => {
  if (!(error instanceof Error)) return ''
  return error.cause instanceof Error ? error.cause.message : error.message
}
