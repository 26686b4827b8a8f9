import type { Invitation, Member, members } from '@countersign/sdk/contract'
import useSWR from 'swr'
import type { z } from 'zod'
import { client } from '../../../../data/client.ts'

type Members = z.infer<typeof members.list.response>

/** The members of the company, and invitations that wait for an answer. */
export const useOwnMembers = () => {
  const { data, error, mutate } = useSWR<Members, unknown>(['own-members'], () => client.members.list())
  /** Someone else may have changed the list at the same time, so it is always loaded again. */
  const andReload = async <Answer>(call: PromiseLike<Answer>): Promise<Answer> => {
    try {
      return await call
    } finally {
      await mutate()
    }
  }
  return {
    list: data,
    failure: error,
    again: () => mutate(),
    invite: (input: z.input<typeof members.invite.body>) => andReload(client.members.invite(input)),
    withdraw: ({ id }: Invitation) => andReload(client.members.withdraw(id)),
    setRole: ({ person_id }: Member, input: z.input<typeof members.setRole.body>) =>
      andReload(client.members.setRole(person_id, input)),
    remove: ({ person_id }: Member) => andReload(client.members.remove(person_id, {})),
  }
}

export type OwnMembers = ReturnType<typeof useOwnMembers>
