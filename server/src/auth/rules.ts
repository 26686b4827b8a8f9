import { hash, randomBytes } from 'node:crypto'
import { invalidField, type Refusal } from '@countersign/sdk/contract'
import { commonPasswords } from './common-passwords.ts'

export const setupLifetimeMs = 24 * 3_600_000
export const resetLifetimeMs = 3_600_000

export const newSecret = () => randomBytes(32).toString('base64url')
export const hashSecret = (secret: string) => hash('sha256', secret, 'hex')

const simple = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Why a password is not taken: many have it, or it follows from what everyone can know. Nothing else is asked of it. */
export const passwordRefusal = (
  password: string,
  { email, company_name }: { email?: string | null; company_name?: string | null },
  field = 'password',
): Refusal | undefined => {
  const refuse = (message: string) => invalidField(field, message)
  const bare = simple(password)
  if (commonPasswords.has(password.toLowerCase()) || commonPasswords.has(bare.replace(/\d{1,4}$/, '')))
    return refuse('Many people have this password. Choose another')
  if (/^(.)\1*$/u.test(password)) return refuse('One character repeated is no password. Choose another')
  const [local = '', domain = ''] = (email ?? '').split('@')
  const known = [local, domain.split('.')[0] ?? '', company_name ?? '', 'countersign'].map(simple).filter((word) => word.length >= 4)
  if (known.some((word) => bare.replace(/\d{1,4}$/, '') === word))
    return refuse('This password follows from your name or address. Choose another')
  return undefined
}
