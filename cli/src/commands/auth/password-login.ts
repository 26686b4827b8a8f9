import { hostname } from 'node:os'
import { ApiError, type Countersign } from '@countersign/sdk'
import { type Membership, type Role, scopesOfRole } from '@countersign/sdk/contract'
import { describeCompany } from '@countersign/sdk/words/company'
import type { Context } from '../../context.ts'
import { Failure, missingCredentials, usage } from '../../failure.ts'
import { printRequest } from '../../registry/request.ts'
import { printable } from '../../render/output.ts'
import { keepKey } from './auth.ts'

interface Given {
  email: string
  isPiped: boolean
}

/** Signs in with a password just long enough to create a key for this machine. Only the key is kept. */
export const logInWithPassword = async (context: Context, given: Given): Promise<void> => {
  if (context.isDryRun) return printRequest(context, 'auth', 'login', {}, { email: given.email, password: '…' })
  await withSession(context, given, async (session) => {
    const { providers } = await session.members.providers()
    const own = providers.find(({ is_current }) => is_current)
    await keepKey(context, await createKey(session, own?.role ?? 'owner'))
    const others = providers.filter(({ is_current }) => !is_current).map(describeMembership)
    if (others.length > 0)
      context.out.say(`You are also a member of ${others.join('; ')}. See: countersign help providers use`)
  })
}

const describeMembership = ({ provider_id: id, ...company }: Membership) => describeCompany({ id, ...company })

/** For this machine, with all that the role allows. */
export const createKey = async (session: Countersign, role: Role): Promise<string> => {
  const { api_key } = await session.keys.create({
    name: printable(`countersign on ${hostname()}`).slice(0, 60),
    scopes: [...(scopesOfRole[role] ?? (['full'] as const))],
  })
  return api_key
}

/** End the session when the work is done. */
export const withSession = async <T>(
  context: Context,
  { email, isPiped }: Given,
  work: (session: Countersign) => Promise<T>,
): Promise<T> => {
  const password = await readPassword(context, isPiped)
  const anyone = await context.connect({ key: 'none' })
  const { auth_token } = await anyone.auth.login({ email, password }).catch(refusedPassword)
  const session = await context.connect({ apiKey: auth_token })
  try {
    return await work(session)
  } finally {
    // The session also expires by itself.
    await session.auth.signOut({}).catch(() => {})
  }
}

/** The trailing newline belongs to the file or pipe, not to the password. */
const readPassword = async ({ files, isInteractive, prompts }: Context, isPiped: boolean) => {
  if (!isPiped && !isInteractive)
    throw missingCredentials('No password was given', 'Use --password-stdin, or set COUNTERSIGN_API_KEY')
  const password = isPiped
    ? new TextDecoder().decode(await files.read('-')).replace(/\r?\n$/, '')
    : await prompts().secret('Password')
  if (password === '') throw usage('The password is empty')
  return password
}

const refusedPassword = (error: unknown) => {
  if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error
  throw new Failure(
    error.code,
    4,
    error.detail,
    'Forgot it? Reset it in the console. If the account has no password, sign in with a key: --api-key-stdin',
    { cause: error },
  )
}
