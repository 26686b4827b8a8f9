/** What links show of an identity of a platform: its address if that was trusted, else its subject. */
export const shownSubject = ({ subject, claims }: { subject: string; claims: string }): string => {
  const { email }: { email?: string } = JSON.parse(claims)
  return email ?? subject
}

/** The name of the fact of a deployment that this identity stands for it. */
export const platformFact = (workload_id: string) => `platform ${workload_id}`
