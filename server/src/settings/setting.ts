import { isLoopbackUrl } from '../hosts.ts'

/** An invalid setting; names what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface Setting<T> {
  /** The expected value, for people. */
  expected: string
  means: string
  default: string
  parse: (text: string) => T | undefined
  /** An invalid value is not printed, because it contains a secret. */
  isSecret?: true
}

export const setting = <T>(row: Setting<T>) => row

/* ---- parsers: undefined means that the text is invalid ---- */

export const port = (text: string) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined)

export const count = (most: number) => (text: string) =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= most ? Number(text) : undefined

export const optional =
  <T>(parse: (text: string) => T | undefined) =>
  (text: string) =>
    text === '' ? null : parse(text)

export const list =
  <T>(parse: (text: string) => T | undefined) =>
  (text: string) => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(parse)
    return items.every((item) => item !== undefined) ? (items as T[]) : undefined
  }

/** The base address of a service. Without TLS only on this machine. */
export const serviceUrl = (text: string) => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(text))
  return isBare && isSafe ? url.href.replace(/\/+$/, '') : undefined
}

export const encryptionKey = (text: string) => {
  const isBase64 = /^[A-Za-z0-9+/]{43}=$/.test(text)
  if (!isBase64 && !/^[0-9a-f]{64}$/i.test(text)) return undefined
  const bytes = Buffer.from(text, isBase64 ? 'base64' : 'hex')
  return bytes.length === 32 ? bytes : undefined
}

export const postgresUrl = (text: string) => (/^(postgres|postgresql):\/\/.+/.test(text) ? text : undefined)

export const oneOf =
  <const T extends string>(...values: readonly T[]) =>
  (text: string) =>
    values.find((value) => value === text)
