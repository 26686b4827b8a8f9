// No key and no server of your own: the page asks the registry about links, and checks tokens with its public keys.
import { createClient } from '@countersign/sdk'
import { createVerifier, policy, readLink } from '@countersign/sdk/verify'

const issuer = document.querySelector<HTMLMetaElement>('meta[name=registry]')?.content ?? ''
const client = createClient({ baseURL: issuer })
const verifier = createVerifier({ issuer })
const decide = policy({ issuer, providers: ['acme.example'] })

const judge = async (text: string) => {
  // A code says nothing without the registry; a token needs its keys alone, and says less: how things were at minting.
  const isToken = readLink(text).kind === 'token'
  const verdict = isToken ? await verifier.verify(text) : await client.verifications.check(text)
  const { allowed, violations } = decide(verdict)
  if (allowed) return { result: 'verified', words: isToken ? 'Yes: acme.example, as of when it was issued.' : 'Yes: acme.example.' }
  // Silence of the registry is no answer about the link.
  if (verdict.result === 'unknown') return { result: 'unknown', words: 'It could not be checked. Try again in a moment.' }
  return { result: 'not_verified', words: `No. ${violations.map(({ message }) => message).join('. ')}.` }
}

const form = document.querySelector('form')
const status = document.querySelector<HTMLElement>('[role=status]')

form?.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (status === null) return
  delete status.dataset.result
  status.textContent = 'Checking…'
  const { result, words } = await judge(String(new FormData(form).get('link')))
  status.dataset.result = result
  // As text: what is quoted came from somebody else.
  status.textContent = words
})
