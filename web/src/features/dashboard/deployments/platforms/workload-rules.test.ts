import { describe, expect, it } from 'vitest'
import {
  emptyWorkloadForm,
  orderOf,
  platforms,
  presets,
  readWorkloadForm,
  type WorkloadForm,
} from './workload-rules.ts'

const form = (some: Partial<WorkloadForm>): WorkloadForm => ({ ...emptyWorkloadForm(''), subject: '1122', ...some })
const problemsOf = (some: Partial<WorkloadForm>) => {
  const read = readWorkloadForm(form(some))
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path}: ${message}`)
}

describe('the form for a platform identity', () => {
  it.each([
    {
      name: 'a service account of Google Cloud',
      given: form({
        suggested: { email: ' chat@northwind.example ', repository_id: 'left over' },
        issuer: 'left over',
      }),
      sent: {
        issuer: 'https://accounts.google.com',
        subject: '1122',
        claims: { email: 'chat@northwind.example' },
      },
    },
    {
      name: 'a project of Vercel with its audience and a claim of its own, for one deployment',
      given: form({
        platform: 'vercel',
        issuer: 'https://oidc.vercel.com/northwind/',
        audience: 'https://vercel.com/northwind',
        claims: [
          { name: 'environment', value: 'production ' },
          { name: '', value: '' },
        ],
        deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm',
      }),
      sent: {
        issuer: 'https://oidc.vercel.com/northwind',
        subject: '1122',
        claims: { environment: 'production' },
        audience: 'https://vercel.com/northwind',
        deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm',
      },
    },
    {
      name: 'no audience for a platform that writes any',
      given: form({ platform: 'github', audience: 'left over' }),
      sent: { issuer: 'https://token.actions.githubusercontent.com', subject: '1122', claims: {} },
    },
  ])('sends $name', ({ given, sent }) => {
    expect(readWorkloadForm(given)).toEqual({ success: true, data: sent })
  })

  it.each([
    { given: { subject: '' }, problem: /^subject: Subject is required/ },
    { given: { platform: 'kubernetes', issuer: 'cluster' }, problem: /^issuer: Must be the address/ },
    { given: { claims: [{ name: 'email', value: '' }] }, problem: /^claims: email: / },
    { given: { claims: [{ name: '', value: 'x' }] }, problem: /^claims: Give the claim “x” a name/ },
    { given: { claims: [{ name: 'a b', value: 'x' }] }, problem: /^claims: a b: Must be the name of a claim/ },
    { given: { claims: [{ name: 'aud', value: 'x' }] }, problem: /^claims: These claims are checked anyway/ },
    {
      given: {
        claims: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      problem: /^claims: The claim a is used twice/,
    },
  ] as { given: Partial<WorkloadForm>; problem: RegExp }[])('says what is wrong: $problem', ({ given, problem }) => {
    expect(problemsOf(given)).toEqual([expect.stringMatching(problem)])
  })

  it('asks for an issuer only if the platform has more than one', () => {
    const asked = platforms.filter((platform) => orderOf(form({ platform })).includes('issuer'))
    expect(asked).toEqual(platforms.filter((platform) => !('issuer' in presets[platform])))
    expect(asked).toContain('azure')
  })
})
