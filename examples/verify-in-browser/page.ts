// Needs no key and no server: the page checks links with the registry, and tokens with the registry's public keys.
import { createClient } from '@countersign/sdk'
import { createVerifier, policy, readLink } from '@countersign/sdk/verify'

const issuer = document.querySelector<HTMLMetaElement>('meta[name=registry]')?.content ?? ''
const client = createClient({ baseURL: issuer })
const verifier = createVerifier({ issuer })
const decide = policy({ issuer, providers: ['acme.example'] })

const check = async (input: string) => {
  // A code needs an online check. A token needs only the public keys, but shows the state at minting.
  const isToken = readLink(input).kind === 'token'
  const verdict = isToken ? await verifier.verify(input) : await client.verifications.check(input)
  const { allowed, violations } = decide(verdict)
  if (allowed)
    return { result: 'verified', text: isToken ? 'Yes: acme.example, as of when it was issued.' : 'Yes: acme.example.' }
  // If the registry does not respond, nothing is known about the link.
  if (verdict.result === 'unknown')
    return { result: 'unknown', text: 'It could not be checked. Try again in a moment.' }
  return { result: 'not_verified', text: `No. ${violations.map(({ message }) => message).join('. ')}.` }
}

const form = document.querySelector('form')
const status = document.querySelector<HTMLElement>('[role=status]')

form?.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (status === null) return
  delete status.dataset.result
  status.textContent = 'Checking…'
  const { result, text } = await check(String(new FormData(form).get('link')))
  status.dataset.result = result
  // Set as text, because it can contain text from other people.
  status.textContent = text
})
