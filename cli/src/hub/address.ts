import { isHubId } from '@countersign/sdk/contract'
import { usage } from '../failure.ts'

export interface HubAddress {
  id: string
  /** A branch, tag or commit; undefined for the hub's default. */
  revision: string | undefined
}

/** `ORG/NAME[@REVISION]`. */
export const readHubAddress = (text: string): HubAddress => {
  const [id = '', revision, ...rest] = text.split('@')
  const isRevision = revision === undefined || (/^[\w][\w./-]{0,200}$/.test(revision) && !revision.includes('..'))
  if (!isHubId(id) || !isRevision || rest.length > 0)
    throw usage(`--hf must be ORG/NAME or ORG/NAME@REVISION, for example acme/tiny@main, not ${JSON.stringify(text)}`)
  return { id, revision }
}

/** The hub's address: `HF_ENDPOINT`, without a trailing slash. */
export const readHubEndpoint = (env: Readonly<Record<string, string | undefined>>): string => {
  const given = env.HF_ENDPOINT || 'https://huggingface.co'
  const url = URL.parse(given)
  if (url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '')
    return url.href.replace(/\/+$/, '')
  throw usage(
    `HF_ENDPOINT must be an http or https address without user, query or fragment, not ${JSON.stringify(given)}`,
  )
}
