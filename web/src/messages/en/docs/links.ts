import { jwksMaxAgeSeconds, limits } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'
import type { DocsSection } from '../../blocks.ts'

const minutes = limits.tokenLifetimeSeconds / 60

/** API Endpoints about links and tokens. */
export const links = {
  'create-verification': {
    name: 'Create Verification Token',
    blocks: [
      `Only \`model_id\` is needed. The answer has \`verification_url\`, which you give to the person, and \`token\`, a signed JWT that you keep for [binding](#bind-response) and for checks without the network. Both end after ${formatNumber(limits.tokenLifetimeSeconds)} seconds (${minutes} minutes).`,
      { sample: 'create-verification', caption: 'Create a link' },
      {
        heads: ['Field', 'What it is for'],
        rows: [
          [
            '`challenge`',
            'A phrase that the person gave your AI. The page shows it, so that they see that the link was made for them. At most 64 letters, digits, spaces and hyphens.',
          ],
          [
            '`origin`',
            'The https origin of your chat, such as `https://chat.acme.example`. The page tells the person where the chat should be.',
          ],
          ['`user_fingerprint`', 'Any text that stands for the user. Only an HMAC of it is kept.'],
          ['`prompt`, `response`', 'Only their SHA-256 is kept; a response is bound at once.'],
          ['`metadata`', `Your own notes, at most ${formatNumber(limits.metadataBytes)} bytes of JSON. Only you see them.`],
        ],
      },
      'A link ends in 16 letters and digits, such as `W904-2CKW-GDNC-X7S1`. It carries no token, because models garble long addresses and previews leak them. Two of the 16 are check characters, so that a typing error is called a typing error.',
      {
        note: 'Look at `warnings` in the answer while you build: it says what a reader of the link will miss, such as a domain that is not verified.',
      },
      { heading: 'Bind a response', id: 'bind-response' },
      'Bind the exact text that your AI answered. The registry keeps its SHA-256, and a person can paste what they received: the page compares it in their browser. With your key the binding is your word; without, the page says that someone who held the token attached it. One binding of each kind.',
      { sample: 'bind-response', caption: 'Bind a response' },
      { endpoints: ['verifications.create', 'verifications.bind', 'account.verifications', 'account.verificationsByDay'] },
    ],
  },

  'verify-token': {
    name: 'Verify Token',
    blocks: [
      'Give what the chat gave you: the link, its code or the token. No key is needed. There are three answers, and they are never mixed up.',
      { sample: 'verify-token', caption: 'Verify' },
      {
        heads: ['Answer', 'HTTP', 'SDK `result`', 'CLI'],
        rows: [
          ['Verified', '200', '`verified`', '0'],
          [
            'Not verified',
            '400 or 404; 200 for a genuine link of a provider whose domain nobody verified',
            '`not_verified` with a `reason`',
            '3',
          ],
          ['Could not check', '503', '`unknown`', '9'],
        ],
      },
      'Every answer lists the checks: `passed` is true, false, or null where something was not, or could not be, checked. Show people the verified domain, not the company name: `provider.domain` counts only with `provider.domain_verified`.',
      'Reading a link changes nothing, so previews and scanners may open it. `opened` is what the page of the link calls once a person has read it.',
      { heading: 'Without the network', id: 'verify-offline' },
      `A token (not a link) can be checked with the public keys of the registry alone, which may be kept for ${formatNumber(jwksMaxAgeSeconds / 60)} minutes. What happened since it was minted cannot be seen that way, and the answer says so: \`live_state\` is \`not_checked\`.`,
      { sample: 'verify-offline', caption: 'Verify offline' },
      {
        heads: ['Claim', 'Meaning'],
        rows: [
          ['`iss`, `jti`, `iat`, `exp`', 'The registry, the id of the verification, issued and expires, in seconds since 1970'],
          ['`model_id`, `model_identifier`, `version`, `model_digest`', 'The version of the model'],
          ['`provider_id`, `provider_domain`', 'The provider; the domain is there only if it was verified'],
          ['`deployment_id`, `deployment_binding`, `spki_fingerprint`', 'The server that asked, and how it was proven'],
          ['`challenge`, `origin`, `user_fp`', 'What was given when the link was created'],
          ['`bound_to_response`, `response_hash`, `bound_by`', 'The bound response'],
        ],
      },
      'Tokens are JWTs signed with Ed25519 (`alg` `EdDSA`, `typ` `vt+jwt`, or `bound+jwt` with a bound response). Check `typ`, `iss` and `kid` as well, or let the SDK do it.',
      { endpoints: ['verifications.get', 'verifications.inspect', 'verifications.opened', 'signing.jwks'] },
    ],
  },
} as const satisfies Record<string, DocsSection>
