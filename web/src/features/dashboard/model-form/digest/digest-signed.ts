import type { ModelFile, UploadedBundle } from '@countersign/sdk/contract'
import { rootDigestOf } from '../../../models/digest/digest.ts'

const modelSigningType = 'https://model_signing/signature/v1.0'

interface SignedFile {
  name: string
  digest: string
}

interface SignedList {
  /** In the order that the signed digest depends on. */
  files: SignedFile[]
  ignorePaths: string[]
}

const recordOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const parsePayload = (payload: unknown): Record<string, unknown> => {
  try {
    const bytes = Uint8Array.from(atob(String(payload)), (character) => character.charCodeAt(0))
    return recordOf(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return {}
  }
}

/** The files that an OpenSSF Model Signing bundle lists by SHA-256; undefined if it lists none that way. The registry decides who signed. */
export const signedListOf = ({ dsseEnvelope }: UploadedBundle): SignedList | undefined => {
  const statement = parsePayload(recordOf(dsseEnvelope).payload)
  const predicate = recordOf(statement.predicate)
  const serialization = recordOf(predicate.serialization)
  if (statement.predicateType !== modelSigningType || serialization.method !== 'files') return undefined
  const files = listOf(predicate.resources).map((each) => recordOf(each))
  if (
    files.length === 0 ||
    files.some(
      ({ name, algorithm, digest }) => algorithm !== 'sha256' || typeof name !== 'string' || typeof digest !== 'string',
    )
  )
    return undefined
  return {
    files: files.map(({ name, digest }) => ({ name: String(name), digest: String(digest) })),
    ignorePaths: listOf(serialization.ignore_paths).map(String),
  }
}

export interface FileDifferences {
  changed: string[]
  missing: string[]
  extra: string[]
}

export type SignedMatch = { digest: string; files: ModelFile[] } | { differences: FileDifferences }

const isIn = (paths: readonly string[], name: string) =>
  paths.some((path) => name === path || name.startsWith(`${path}/`))

/**
 * A version's files and digest as listed in its bundle: in its order, which differs between signers, and without the files it
 * ignores. Undefined if the bundle does not list them.
 */
export const matchSigned = (files: readonly ModelFile[], bundle: UploadedBundle): SignedMatch | undefined => {
  const signed = signedListOf(bundle)
  if (signed === undefined) return undefined
  const [only, onlySigned] = [files[0], signed.files[0]]
  // The bundle may name a single file differently, and its digest is the file's own.
  if (files.length === 1 && signed.files.length === 1 && only && onlySigned)
    return only.sha256 === onlySigned.digest
      ? undefined
      : { differences: { changed: [only.name], missing: [], extra: [] } }
  const listed = new Map(signed.files.map(({ name, digest }) => [name, digest]))
  const counted = files.filter(({ name }) => listed.has(name) || !isIn(signed.ignorePaths, name))
  const here = new Map(counted.map((file) => [file.name, file]))
  const differences = {
    changed: signed.files
      .filter(({ name, digest }) => here.has(name) && here.get(name)?.sha256 !== digest)
      .map(({ name }) => name),
    missing: signed.files.filter(({ name }) => !here.has(name)).map(({ name }) => name),
    extra: counted.filter(({ name }) => !listed.has(name)).map(({ name }) => name),
  }
  if (Object.values(differences).some(({ length }) => length > 0)) return { differences }
  const ordered = signed.files.flatMap(({ name }) => here.get(name) ?? [])
  return { files: ordered, digest: rootDigestOf(ordered.map(({ sha256 }) => sha256)) }
}
