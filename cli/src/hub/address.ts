import { isHubId } from '@countersign/sdk/contract'
import { usage } from '../failure.ts'

export interface HubAddress {
  id: string
  /** A branch, tag or commit; undefined for the hub's default. */
  revision: string | undefined
}

/** `ORG/NAME[@REVISION]`, or the address of a page of the model as copied from the browser. */
export const readHubAddress = (pasted: string, endpoint: string): HubAddress => {
  const text = shortAddress(pasted, endpoint)
  const [id = '', revision, ...rest] = text.split('@')
  const isRevision = revision === undefined || (/^[\w][\w./-]{0,200}$/.test(revision) && !revision.includes('..'))
  if (!isHubId(id) || !isRevision || rest.length > 0)
    throw usage(`--hf must be ORG/NAME or ORG/NAME@REVISION, for example acme/tiny@main, not ${JSON.stringify(pasted)}`)
  return { id, revision }
}

/** `https://huggingface.co/acme/tiny/tree/main` is `acme/tiny@main`. */
const shortAddress = (pasted: string, endpoint: string) => {
  const url = URL.parse(/^(www\.)?(huggingface\.co|hf\.co)\//.test(pasted) ? `https://${pasted}` : pasted)
  if (url === null || (url.origin !== new URL(endpoint).origin && !/^(www\.)?(huggingface\.co|hf\.co)$/.test(url.host)))
    return pasted
  const [, organization, name, view, revision] = url.pathname.split('/')
  if (!organization || !name) return pasted
  if (organization === 'datasets' || organization === 'spaces')
    throw usage(`--hf takes a model; this address is of a ${organization.slice(0, -1)}: ${JSON.stringify(pasted)}`)
  const isAtRevision = /^(tree|blob|resolve|raw|commit)$/.test(view ?? '') && revision
  return `${organization}/${name}${isAtRevision ? `@${revision}` : ''}`
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
