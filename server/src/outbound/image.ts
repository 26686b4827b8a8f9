import { limits } from '@countersign/sdk/contract'
import { type Egress, EgressError } from './egress.ts'

/** The unchecked bytes at an address, or why there are none. */
export type FetchImage = (url: string) => Promise<Buffer | 'not_https' | 'too_large' | 'refused' | 'unavailable'>

/** Reads an image from a website. */
export const createFetchImage =
  (egress: Pick<Egress, 'fetch'>): FetchImage =>
  async (url) => {
    try {
      const { status, body } = await egress.fetch(url, {
        headers: { accept: 'image/webp,image/png,image/jpeg' },
        maxBytes: limits.logoBytes,
        timeoutMs: 10_000,
        maxRedirects: 3,
      })
      return status === 200 ? body : 'refused'
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      if (error.kind === 'too_large') return 'too_large'
      if (error.kind === 'refused') return url.startsWith('http:') ? 'not_https' : 'refused'
      return error.kind === 'too_many_redirects' ? 'refused' : 'unavailable'
    }
  }
