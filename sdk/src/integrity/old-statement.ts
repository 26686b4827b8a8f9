/** Statements of model_signing 0.2, older than the specification: they list the files as subjects, by SHA-256. */
export const oldModelType = 'https://model_signing/Digests/v0.1'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Converts it to a v1.0 statement, which must pass the same checks; the root digest is computed from its list. */
export const asModelStatement = (
  { subject }: Record<string, unknown>,
  rootDigest: (digests: string[]) => string,
): Record<string, unknown> => {
  const resources = (Array.isArray(subject) ? subject : []).map((entry: unknown) => ({
    name: isObject(entry) ? entry.name : undefined,
    algorithm: 'sha256',
    digest: isObject(entry) && isObject(entry.digest) ? entry.digest.sha256 : undefined,
  }))
  const digests = resources.map(({ digest }) => (typeof digest === 'string' ? digest : ''))
  return {
    subject: [{ name: '', digest: { sha256: rootDigest(digests) } }],
    predicate: { resources, serialization: { method: 'files', hash_type: 'sha256' } },
  }
}

/** The signed bytes of those versions: DSSE with the payload as Python prints bytes. */
export const oldPreAuthEncoding = (payloadType: string, payload: Uint8Array): Buffer =>
  Buffer.from(`DSSEV1 ${payloadType.length} ${payloadType} ${payload.length} ${shownByPython(payload)}`)

const escapes: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 92: '\\\\' }

const shownByPython = (bytes: Uint8Array): string => {
  const quote = bytes.includes(0x27) && !bytes.includes(0x22) ? '"' : "'"
  const parts = Array.from(bytes, (byte) => {
    if (byte === quote.charCodeAt(0)) return `\\${quote}`
    if (byte < 0x20 || byte > 0x7e || byte === 92) return escapes[byte] ?? `\\x${byte.toString(16).padStart(2, '0')}`
    return String.fromCharCode(byte)
  })
  return `b${quote}${parts.join('')}${quote}`
}
