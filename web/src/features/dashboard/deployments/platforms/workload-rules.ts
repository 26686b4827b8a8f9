import { NewWorkload, type Workload } from '@countersign/sdk/contract'
import { workloadsSection } from '#messages/dashboard/workloads.ts'
import type { Pair } from '../../../../forms/pair-fields.tsx'
import { type LabelsProblem, readRows } from '../labels.ts'

const words = workloadsSection.form.claims

interface Preset {
  /** Fixed for all identities of the platform; otherwise typed. */
  issuer?: string
  /** Further claims that are worth giving. */
  claims: readonly string[]
}

/** Platforms in the order of the form. */
export const presets = {
  github: { issuer: 'https://token.actions.githubusercontent.com', claims: ['repository_id'] },
  gitlab: { issuer: 'https://gitlab.com', claims: ['project_id'] },
  google: { issuer: 'https://accounts.google.com', claims: ['email'] },
  aws: { claims: [] },
  azure: { claims: ['azp'] },
  kubernetes: { claims: [] },
  spiffe: { claims: [] },
  vercel: { claims: ['project_id'] },
  other: { claims: [] },
} as const satisfies Record<string, Preset>
export type Platform = keyof typeof presets
export const platforms = Object.keys(presets) as Platform[]

/** The fields of all platforms, so that changing the platform loses nothing. */
export interface WorkloadForm {
  platform: Platform
  issuer: string
  subject: string
  /** By name: the claims that the platform suggests. */
  suggested: Record<string, string>
  claims: Pair[]
  audience: string
  /** If empty, a new deployment is registered. */
  deployment_id: string
}

export const emptyWorkloadForm = (deployment_id: string): WorkloadForm => ({
  platform: 'google',
  issuer: '',
  subject: '',
  suggested: {},
  claims: [],
  audience: '',
  deployment_id,
})

const presetOf = (platform: Platform): Preset => presets[platform]

export const isIssuerFixed = (platform: Platform) => presetOf(platform).issuer !== undefined

/** The values to send, without empty optional ones. */
const newWorkloadOf = (form: WorkloadForm, typed: Record<string, unknown>): Record<string, unknown> => {
  const { issuer, claims } = presetOf(form.platform)
  const suggested = claims.map((name): [string, string] => [name, (form.suggested[name] ?? '').trim()])
  const optional = { audience: isIssuerFixed(form.platform) ? '' : form.audience, deployment_id: form.deployment_id }
  return {
    issuer: issuer ?? form.issuer.trim().replace(/\/+$/, ''),
    subject: form.subject.trim(),
    claims: { ...Object.fromEntries(suggested.filter(([, value]) => value !== '')), ...typed },
    ...Object.fromEntries(
      Object.entries(optional).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
    ),
  }
}

/** What the contract says of the form. */
export const readWorkloadForm = (
  form: WorkloadForm,
):
  | { success: true; data: NewWorkload }
  | { success: false; error: { issues: { path: string[]; message: string }[] } } => {
  const rows = readRows(form.claims.map(({ name, value }) => ({ name, value: value.trim() })))
  const inClaims = (message: string) => ({ path: ['claims'], message })
  const read = NewWorkload.safeParse(newWorkloadOf(form, 'labels' in rows ? rows.labels : {}))
  const typed = 'problem' in rows ? [inClaims(describeProblem(rows.problem))] : []
  const issues = (read.error?.issues ?? []).map((issue) => ({
    path: [String(issue.path[0])],
    message:
      issue.path[0] === 'claims' && issue.path.length > 1
        ? words.problems.of(String(issue.path[1]), issue.code === 'invalid_key' ? words.problems.name : issue.message)
        : issue.message,
  }))
  return read.success && typed.length === 0
    ? { success: true, data: read.data }
    : { success: false, error: { issues: [...typed, ...issues] } }
}

const describeProblem = (problem: LabelsProblem): string =>
  problem.kind === 'unnamed'
    ? words.problems.unnamed(problem.value)
    : words.problems.twice('name' in problem ? problem.name : '')

/** The shown fields in their order. */
export const orderOf = ({ platform }: WorkloadForm): readonly (keyof WorkloadForm)[] => [
  ...(isIssuerFixed(platform) ? [] : ['issuer' as const]),
  'subject',
  'claims',
  ...(isIssuerFixed(platform) ? [] : ['audience' as const]),
  'deployment_id',
]

interface Scene {
  provider: string
  registry: string
}

/** What the server does with its token, for pasting. */
export const snippetOf = ({ audience }: Workload, { provider, registry }: Scene): string =>
  `import { createClient, createLinkIssuer } from '@countersign/sdk'
import { workloadSigner } from '@countersign/sdk/workload'

const fetch = workloadSigner({
  registry: '${registry}',
  providerId: '${provider}',
  token: () => identityToken('${audience}'), // asks the platform for a new token with this audience
})
const client = createClient({ baseURL: '${registry}', fetch })
export const issuer = createLinkIssuer({ client, modelId: 'MODEL' })`
