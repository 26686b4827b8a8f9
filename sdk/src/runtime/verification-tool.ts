import { AbortError, ApiError } from '../api-error.ts'
import { cleanLine } from '../contract/text.ts'
import type { LinkIssuer, VerificationLink } from './link-issuer.ts'

/** What the model may give, in words for it. */
export const challengeMeaning =
  'A phrase that the person asked to see on the page of the link, exactly as they wrote it: at most 64 letters, digits, spaces and hyphens.'

/**
 * The tool that a model may call to prove who it is, as a literal JSON Schema that strict modes accept (every property
 * required, none beside them). The model gives at most the visitor's phrase: which model it is, and for which session, the
 * runtime knows.
 */
export const verificationToolSpec = {
  name: 'get_verification_link',
  description:
    'Gets a link by which the person in this chat can check which AI model and provider they are talking to. Use it when they ask who or ' +
    'what you are, or ask for proof. Give them the link exactly as it is returned, on a line of its own. It is valid for about 15 minutes.',
  parameters: {
    type: 'object',
    properties: {
      challenge: {
        type: ['string', 'null'],
        description: `${challengeMeaning} null if they gave none.`,
      },
    },
    required: ['challenge'],
    additionalProperties: false,
  },
} as const

/** What the runtime, and never the model, says about a call. */
export interface ToolCallContext {
  sessionId: string
  signal?: AbortSignal
}

/**
 * What the tool answers. `text` is for the model, and it may repeat it to the person; there is a link in it only where
 * there is one. `invalid_arguments`: the model asked for something that the tool does not take. `refused`: the registry does
 * not issue links for this model now, or the call named no session. `unavailable`: it could not be asked, or is too busy; the same call may succeed later.
 */
export type ToolAnswer =
  | { readonly ok: true; readonly text: string; readonly link: VerificationLink }
  | {
      readonly ok: false
      readonly reason: 'invalid_arguments' | 'refused' | 'unavailable'
      readonly text: string
      readonly cause?: unknown
    }

export interface VerificationTool {
  readonly spec: typeof verificationToolSpec
  /** Takes the arguments as the model gave them, parsed from JSON. Throws only `AbortError`: a bad session id is `refused`, too. */
  call(args: unknown, context: ToolCallContext): Promise<ToolAnswer>
}

export interface VerificationToolOptions {
  issuer: Pick<LinkIssuer, 'get'>
  /** The https origin of your chat, instead of the issuer's. */
  origin?: string
}

const challengeSpelling = /^[\p{L}\p{N} -]{1,64}$/u

const words = {
  only: 'This tool takes `challenge` and nothing else: it issues links for the model that runs this chat, and for no other.',
  challenge: 'A challenge has at most 64 letters, digits, spaces and hyphens. Ask the person for such a phrase, or give null.',
  refused: 'No verification link can be issued for this chat. Do not make one up: tell the person that you cannot prove who you are now.',
  unavailable:
    'No verification link could be issued just now. Do not make one up: tell the person that it did not work and that they may ask again.',
} as const

/** The tool for any runtime: give `spec` to the model, and what it answers to `call`. */
export const createVerificationTool = ({ issuer, origin }: VerificationToolOptions): VerificationTool => ({
  spec: verificationToolSpec,
  call: async (args, { sessionId, signal }) => {
    const read = readToolArguments(args)
    if ('text' in read) return { ok: false, reason: 'invalid_arguments', text: read.text }
    try {
      const link = await issuer.get(sessionId, { challenge: read.challenge, origin, signal })
      return { ok: true, text: `Give this link to the person, unchanged, on a line of its own:\n\n${link.url}`, link }
    } catch (cause) {
      return toFailure(cause)
    }
  },
})

/** What the model is told where something failed; a caller who stopped waiting is told by `AbortError`. */
export const toFailure = (cause: unknown): Extract<ToolAnswer, { ok: false }> => {
  if (cause instanceof AbortError) throw cause
  const isFinal = cause instanceof TypeError || (cause instanceof ApiError && !cause.retryable)
  const reason = isFinal ? 'refused' : 'unavailable'
  return { ok: false, reason, text: words[reason], cause }
}

/** What a model gave, where the tool takes it. */
export interface ToolArguments {
  challenge: string | null
}

/** Nothing at all is the same as null: models that are not held to the schema leave it out. */
export const readToolArguments = (args: unknown): ToolArguments | { text: string } => {
  if (args === undefined || args === null) return { challenge: null }
  if (typeof args !== 'object' || Array.isArray(args) || Object.keys(args).some((name) => name !== 'challenge')) return { text: words.only }
  const given = 'challenge' in args ? args.challenge : null
  if (given === undefined || given === null) return { challenge: null }
  if (typeof given !== 'string') return { text: words.challenge }
  const challenge = cleanLine(given)
  return challenge === '' || challengeSpelling.test(challenge) ? { challenge: challenge || null } : { text: words.challenge }
}
