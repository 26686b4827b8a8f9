import { type NewVerification, NewVerification as NewVerificationSchema } from '@countersign/sdk/contract'

/** What the form holds. */
export interface MintForm {
  model: string
  challenge: string
  origin: string
}

export type MintProblems = Partial<Record<keyof MintForm, string>>

/** An origin as people paste it: the path of a page is dropped. */
const originOf = (text: string) => {
  const trimmed = text.trim()
  return URL.canParse(trimmed) && /^https?:/i.test(trimmed) ? new URL(trimmed).origin : trimmed
}

export const inputOf = ({ model, challenge, origin }: MintForm): NewVerification => ({
  model_id: model,
  ...(challenge.trim() !== '' && { challenge: challenge.trim() }),
  ...(origin.trim() !== '' && { origin: originOf(origin) }),
})

/** What the contract finds wrong, by field of the form. */
export const problemsOf = (form: MintForm, missing: string): MintProblems => {
  if (form.model === '') return { model: missing }
  const parsed = NewVerificationSchema.safeParse(inputOf(form))
  return Object.fromEntries(
    (parsed.error?.issues ?? []).toReversed().map(({ path, message }) => [fieldOf(String(path[0])), message]),
  )
}

/** The form's name of a field of the request. */
export const fieldOf = (name: string): keyof MintForm => (name === 'model_id' ? 'model' : (name as keyof MintForm))
