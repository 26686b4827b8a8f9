import { type Egress, EgressError } from './egress.ts'

/** The text at an address; `null` if there is none, `undefined` if it could not be fetched. */
export type ReadDomainFile = (url: string) => Promise<string | null | undefined>

const maxBytes = 4_096

/**
 * Reads the file with which a website proves its domain, at exactly this address. A redirect does not count: otherwise an open redirect
 * could speak for the domain. Other error statuses may come from a firewall in front of the website.
 */
export const createReadDomainFile =
  (egress: Pick<Egress, 'fetch'>): ReadDomainFile =>
  async (url) => {
    try {
      const { status, body } = await egress.fetch(url, {
        headers: { accept: 'application/json' },
        maxBytes,
        timeoutMs: 5_000,
        maxRedirects: 0,
      })
      if (status === 200) return body.toString('utf8')
      const isAnswer = status === 404 || status === 410 || (status >= 300 && status < 400)
      return isAnswer ? null : undefined
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      // Anything longer is another file.
      return error.kind === 'too_large' ? '' : undefined
    }
  }
