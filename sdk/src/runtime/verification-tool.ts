import { AbortError, ApiError, ValidationError } from '../api-error.ts'
import { cleanLine } from '../contract/text.ts'
import { checkOptions, type OptionForms } from '../verify/check-options.ts'
import { isText } from '../verify/values.ts'
import type { LinkIssuer, VerificationLink } from './link-issuer.ts'

/** The description of the challenge for models. */
export const challengeMeaning =
  'A phrase that the person asked to see on the page of the link, exactly as they wrote it: at most 64 letters, digits, spaces and hyphens.'

/**
 * The tool that a model calls to get a link for its user, as a literal JSON Schema for strict modes (all properties required, no others
 * allowed). The model only passes the user's phrase; the runtime knows the model and the session.
 */
export const verificationToolSpec = {
  name: 'get_verification_link',
  description:
    'Gets a link that shows the person in this chat which company vouches for it, and for which AI model. Use it when they ask who or ' +
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

/** Context of a call, set by the runtime and never by the model. */
export interface ToolCallContext {
  /** Your ID of the chat. It leaves the process only as SHA-256. */
  sessionId: string
  /** Stops the call with `AbortError`. */
  signal?: AbortSignal | undefined
}

/**
 * The tool's answer. `text` is for the model, which may repeat it; it contains a link only if one was issued. `invalid_arguments`: the
 * model passed arguments that the tool does not accept. `refused`: the registry does not issue links for this model now, or the session
 * ID was invalid. `unavailable`: the registry could not be reached or is too busy; the same call may succeed later.
 */
export type ToolAnswer =
  | { readonly ok: true; readonly text: string; readonly link: VerificationLink }
  | {
      readonly ok: false
      readonly reason: 'invalid_arguments' | 'refused' | 'unavailable'
      readonly text: string
      readonly cause?: unknown
    }

/** The tool for a model: its description, and the function that answers its calls. */
export interface VerificationTool {
  /** Name, description and arguments, for the model. */
  readonly spec: typeof verificationToolSpec
  /**
   * Takes the model's arguments, parsed from JSON.
   *
   * @returns The {@link ToolAnswer}: its `text` is for the model. An invalid session ID is `refused`.
   * @throws Only `AbortError`.
   * @example
   * ```ts
   * const answer = await tool.call({ challenge: null }, { sessionId: 'session-7' })
   * if (!answer.ok) console.error(answer.reason, answer.cause)
   * ```
   */
  call(args: unknown, context: ToolCallContext): Promise<ToolAnswer>
}

/** Options of `createVerificationTool`. */
export interface VerificationToolOptions {
  /** Gives the links. */
  issuer: Pick<LinkIssuer, 'get'>
  /** The https origin of your chat; overrides the issuer's. */
  origin?: string | undefined
}

const challengeSpelling = /^[\p{L}\p{N} -]{0,64}$/u

const words = {
  only: 'This tool takes `challenge` and nothing else.',
  challenge: 'A challenge has at most 64 letters, digits, spaces and hyphens. Ask for one, or give null.',
  phrase: 'The registry does not accept this challenge. Ask for another one, or give null.',
  refused: 'You cannot get a verification link. Do not make one up. Tell the person that you cannot prove who you are.',
  unavailable: 'You cannot get a verification link now. Do not make one up. Tell the person to ask again later.',
} as const

export const toolOptionForms: OptionForms<VerificationToolOptions> = { issuer: 'a link issuer', origin: true }

/**
 * The tool for any runtime: give `spec` to the model and its calls to `call`.
 *
 * @returns The {@link VerificationTool}.
 * @throws `TypeError` for an unknown option, and without `issuer`.
 * @example
 * ```ts
 * const tool = createVerificationTool({ issuer })
 * const { text } = await tool.call({ challenge: 'blue otter 42' }, { sessionId: 'session-7' })
 * ```
 */
export const createVerificationTool = (options: VerificationToolOptions): VerificationTool => {
  checkOptions('createVerificationTool', options, toolOptionForms)
  const { issuer, origin } = options
  return {
    spec: verificationToolSpec,
    call: async (args, { sessionId, signal }) => {
      const read = readToolArguments(args)
      if ('text' in read) return { ok: false, reason: 'invalid_arguments', text: read.text }
      try {
        const link = await issuer.get(sessionId, { challenge: read.challenge, origin, signal })
        return { ok: true, text: `Give this link to the person, unchanged, on a line of its own:\n\n${link.url}`, link }
      } catch (cause) {
        return isAboutChallenge(cause)
          ? { ok: false, reason: 'invalid_arguments', text: words.phrase }
          : toFailure(cause)
      }
    },
  }
}

/** For example, because only the registry may say a word in it. */
const isAboutChallenge = (cause: unknown) =>
  cause instanceof ValidationError && cause.issues.some(({ pointer }) => pointer === '#/challenge')

/** The answer for the model after a failure. Throws `AbortError` if the caller stopped waiting. */
export const toFailure = (cause: unknown): Extract<ToolAnswer, { ok: false }> => {
  if (cause instanceof AbortError) throw cause
  const isFinal = cause instanceof TypeError || (cause instanceof ApiError && !cause.retryable)
  const reason = isFinal ? 'refused' : 'unavailable'
  return { ok: false, reason, text: words[reason], cause }
}

/** Valid arguments of the tool. */
export interface ToolArguments {
  challenge: string | null
}

/** A missing challenge is the same as null, because models without strict mode omit it. */
export const readToolArguments = (args: unknown): ToolArguments | { text: string } => {
  const given = args ?? {}
  if (typeof given !== 'object' || Array.isArray(given) || Object.keys(given).some((name) => name !== 'challenge'))
    return { text: words.only }
  const written = (given as { challenge?: unknown }).challenge ?? ''
  const challenge = isText(written) && cleanLine(written)
  return challenge !== false && challengeSpelling.test(challenge)
    ? { challenge: challenge || null }
    : { text: words.challenge }
}
