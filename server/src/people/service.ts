import { findPersonAt } from '../db/people.ts'
import type { Tx } from '../db/schema.ts'
import type { NewId } from '../ids.ts'
import { insertMember, insertPerson, markMailboxVerified } from './store.ts'

interface Deps {
  now: () => number
  newId: NewId
}

interface ProvenMailbox {
  email: string
  email_norm: string
  /** The identity provider that vouches for the address, if we have not verified it. */
  vouchedBy?: 'github' | 'google'
}

/** People sign in; they act for the providers of which they are members. */
export const createPeopleService = ({ now, newId }: Deps) => ({
  /** The person with a mailbox that was just proven, known or new, becomes an owner of a provider. */
  async own(tx: Tx, { provider_id, email, email_norm, vouchedBy }: ProvenMailbox & { provider_id: string }) {
    const at = now()
    const known = vouchedBy ? await findPersonAt(tx, email_norm) : await markMailboxVerified(tx, { email_norm, at })
    const person_id = known?.id ?? newId('per')
    if (!known)
      await insertPerson(tx, {
        id: person_id,
        email,
        email_norm,
        email_verified_at: at,
        email_vouched_by: vouchedBy ?? null,
        created_at: at,
      })
    await insertMember(tx, { provider_id, person_id, role: 'owner', created_at: at })
    return person_id
  },
})

export type PeopleService = ReturnType<typeof createPeopleService>
