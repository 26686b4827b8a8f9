import type { BundleSigner, DeclaredSigner } from '@countersign/sdk/contract'

export const signerKinds = [
  'repository',
  'identity',
  'key',
  'certificate',
] as const satisfies readonly DeclaredSigner['kind'][]
type Kind = (typeof signerKinds)[number]

/** Known issuers; others can be typed. */
export const knownIssuers = [
  'https://token.actions.githubusercontent.com',
  'https://gitlab.com',
  'https://github.com/login/oauth',
  'https://accounts.google.com',
] as const

/** The fields of all kinds, so that changing the kind loses nothing. */
export interface SignerForm {
  kind: Kind
  issuer: string
  identity: string
  repository: string
  workflow: string
  public_key: string
  certificate_chain: string
  /** Empty means all models. */
  api_model_identifier: string
}
export type SignerField = Exclude<keyof SignerForm, 'kind'>

export const emptySignerForm: SignerForm = {
  kind: 'repository',
  issuer: knownIssuers[0],
  identity: '',
  repository: '',
  workflow: '',
  public_key: '',
  certificate_chain: '',
  api_model_identifier: '',
}

export const fieldsOf = {
  repository: ['repository', 'workflow', 'issuer'],
  identity: ['identity', 'issuer'],
  key: ['public_key'],
  certificate: ['certificate_chain'],
} as const satisfies Record<Kind, readonly SignerField[]>

/** The values to send, without empty optional ones. */
export const newSignerOf = (form: SignerForm): { signer: unknown; api_model_identifier?: string } => {
  const { kind, workflow, api_model_identifier } = form
  const signer = Object.fromEntries(fieldsOf[kind].map((name) => [name, form[name]]))
  if (kind === 'repository' && workflow.trim() === '') delete signer.workflow
  return {
    signer: { kind, ...signer },
    ...(api_model_identifier.trim() !== '' && { api_model_identifier: api_model_identifier.trim() }),
  }
}

/** The form for a bundle's signer, as narrow as its certificate allows. */
export const suggestedForm = ({
  signer,
  api_model_identifier,
}: {
  signer: BundleSigner | null
  api_model_identifier: string
}): SignerForm => {
  const form = { ...emptySignerForm, api_model_identifier }
  if (signer === null) return form
  const { identity, issuer, repository, workflow, key_fingerprint } = signer
  if (repository !== null)
    return { ...form, kind: 'repository', repository, workflow: workflow ?? '', issuer: issuer ?? form.issuer }
  // A name from a private authority's certificate is not an identity by itself.
  if (identity !== null && key_fingerprint === null)
    return { ...form, kind: 'identity', identity, issuer: issuer ?? '' }
  return { ...form, kind: 'key' }
}

/** The part of a form that is stored as a draft: pasted keys never are. */
export const keptOf = ({ public_key: _, certificate_chain: __, ...rest }: SignerForm) => rest

/** Detects a private key before anything is done with it. */
export const holdsPrivateKey = (pem: string) => /-----BEGIN ([A-Z]+ )*PRIVATE KEY-----/.test(pem)
