import type { ReadTile } from '@countersign/sdk/log/tiles'
import { hashLength, type Tile, tilePath, tileWidth } from '@countersign/sdk/log/tiles'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'

const maxCheckpointBytes = 1_000_000
/** 256 entries of 64 kB. */
const maxTileBytes = 256 * (65_535 + 2)

/** Fetches the files of a log. */
export interface LogSource {
  /** Its address, without a final slash. */
  url: string
  checkpoint(): Promise<string>
  /** A partial tile falls back to the full one. */
  tile: ReadTile
  /** The bytes of a bundle of entries, and how many it has. */
  bundle(tile: Tile): Promise<{ bytes: Uint8Array; width: number }>
  /** JSON at a path below the address; undefined if the path does not exist. */
  json(path: string): Promise<unknown>
}

/** Could not be checked: exit 9. */
export const unreachable = (what: string, why: string) =>
  new Failure('log_unreachable', 9, `${what}: ${why}`, 'Try again. If it persists, ask the operator of the log')

type Fetcher = (url: string, maxBytes: number) => Promise<Uint8Array | undefined>

/** Fetches with the proxy, authority and timeout that the command line was given. Undefined for 404. */
export const createFetcher = async (context: Context): Promise<Fetcher> => {
  const { fetchFor } = await import('../../registry/connect.ts')
  const timeoutMs = Number(context.setting('timeout')) * 1_000
  return async (url, maxBytes) => {
    const given = { url, env: context.env, caFile: context.setting('ca_file'), cwd: context.files.pathOf('.') }
    const call = context.fetch ?? (await fetchFor(given)) ?? fetch
    try {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)])
      const response = await call(url, { signal, redirect: 'error' })
      if (response.status === 404) return undefined
      if (!response.ok) throw unreachable(url, `HTTP ${response.status}`)
      return await readLimited(response, url, maxBytes)
    } catch (error) {
      context.signal.throwIfAborted()
      if (error instanceof Failure) throw error
      const { cause } = error as Error
      throw unreachable(url, cause instanceof Error ? cause.message : (error as Error).message)
    }
  }
}

const readLimited = async (response: Response, url: string, maxBytes: number): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > maxBytes) throw unreachable(url, `more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

export const createLogSource = (address: string, get: Fetcher): LogSource => {
  const url = address.replace(/\/+$/, '')
  const required = async (path: string, maxBytes: number) => {
    const found = await get(`${url}/${path}`, maxBytes)
    if (found === undefined) throw unreachable(`${url}/${path}`, 'not found')
    return found
  }
  /** The tile with the width that was asked for, or the full one. */
  const tile = async (asked: Tile) => {
    const found = await get(`${url}/${tilePath(asked)}`, maxTileBytes)
    if (found) return { bytes: found, width: asked.width }
    return { bytes: await required(tilePath({ ...asked, width: tileWidth }), maxTileBytes), width: tileWidth }
  }
  return {
    url,
    checkpoint: async () => Buffer.from(await required('checkpoint', maxCheckpointBytes)).toString('utf8'),
    tile: async (asked) => (await tile(asked)).bytes.subarray(0, asked.width * hashLength),
    bundle: tile,
    json: async (path) => {
      const found = await get(`${url}/${path}`, maxTileBytes)
      try {
        return found && JSON.parse(Buffer.from(found).toString('utf8'))
      } catch {
        return undefined
      }
    },
  }
}
