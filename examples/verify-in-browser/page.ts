// Needs no key and no server: the page checks links with the registry, and tokens with the registry's public keys.
import { createClient } from '@countersign/sdk'
import { createVerifier, policy, readLink } from '@countersign/sdk/verify'

const issuer = document.querySelector<HTMLMetaElement>('meta[name=registry]')?.content ?? ''
const client = createClient({ baseURL: issuer })
const verifier = createVerifier({ issuer })
const decide = policy({
  issuer,
  providers: ['acme.example'],
  // Without a server that proved its key, anyone with the company's API key could have asked for the link.
  deploymentProofs: ['mtls', 'proxy', 'signed', 'workload'],
})

const check = async (input: string, chat: string) => {
  // A code needs an online check. A token needs only the public keys, but shows the state at minting.
  const isToken = readLink(input).kind === 'token'
  const verdict = isToken ? await verifier.verify(input) : await client.verifications.check(input)
  // If the registry does not respond, nothing is known about the link.
  if (verdict.result === 'unknown')
    return { result: 'unknown', text: 'It could not be checked. Try again in a moment.' }
  const { allowed, violations } = decide(verdict)
  if (verdict.result !== 'verified' || !allowed)
    return { result: 'not_verified', text: `No. ${violations.map(({ message }) => message).join('. ')}.` }

  const { origin } = 'verification' in verdict ? verdict.verification : verdict.claims
  // The registry no longer says which address it was, because acme.example no longer proves it.
  if ('verification' in verdict && verdict.verification.is_origin_lost)
    return {
      result: 'not_verified',
      text: 'No. It was made for a chat at an address that acme.example no longer proves.',
    }
  const text = `A server that acme.example approved asked for this link${isToken ? ', as of when it was issued' : ''}.`
  // A relay can pass a link on, but it cannot change the address that the link was made for.
  if (!origin) return { result: 'unbound', text: `${text} It names no chat, so it may come from another one.` }
  if (chat === '') return { result: 'verified', text: `${text} Trust it only if you are chatting at ${origin}.` }
  const address = URL.canParse(chat) ? new URL(chat).origin : chat
  return address === origin
    ? { result: 'verified', text: `${text} It is for ${origin}, the address that you gave.` }
    : { result: 'not_verified', text: `No. The link is for ${origin}, and you are chatting at ${address}.` }
}

const form = document.querySelector('form')
const status = document.querySelector<HTMLElement>('[role=status]')

form?.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (status === null) return
  delete status.dataset.result
  status.textContent = 'Checking…'
  const given = new FormData(form)
  const { result, text } = await check(String(given.get('link')), String(given.get('chat')).trim())
  status.dataset.result = result
  // Set as text, because it can contain text from other people.
  status.textContent = text
})
