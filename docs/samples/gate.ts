import { createClient } from '@countersign/sdk'

const client = createClient({ baseURL: 'https://registry.example' })

/** The link comes from the other side, the expectation from you. */
const isAcme = async (link: string) => {
  const verdict = await client.verifications.check(link, {
    expect: {
      provider_domain: 'acme.example',
      model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
    },
  })
  return verdict.result === 'verified'
}

console.log(
  (await isAcme(process.env.LINK ?? '')) ? 'Go on' : 'Stop',
)
