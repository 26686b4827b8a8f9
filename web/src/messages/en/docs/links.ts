import { jwksMaxAgeSeconds, limits } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'
import type { DocsSection } from '../../blocks.ts'

const minutes = limits.tokenLifetimeSeconds / 60

/** The API Endpoints group: links and tokens. */
export const links = {
  'create-verification': {
    name: 'Create Verification Token',
    blocks: [
      `Only \`model_id\` is required. The response has \`verification_url\`, which you give to the person, and \`token\`, a signed JWT that you keep for [binding](#bind-response) and for offline verification. Both expire after ${formatNumber(limits.tokenLifetimeSeconds)} seconds (${minutes} minutes).`,
      { sample: 'create-verification', caption: 'Create a link' },
      {
        heads: ['Field', 'Purpose'],
        rows: [
          [
            '`challenge`',
            'A phrase that the person gave your AI. The page shows it, so that they can see that it was made for them. At most 64 letters, digits, spaces and hyphens, without words such as “verified”.',
          ],
          [
            '`origin`',
            'The https origin of your chat, such as `https://chat.acme.example`. The page tells the person which address their chat should have.',
          ],
          ['`user_fingerprint`', 'Any text that identifies the user to you. Only an HMAC of it is stored.'],
          ['`prompt`, `response`', 'Only their SHA-256 digests are stored. The response is bound at once.'],
          [
            '`metadata`',
            `Your own notes, at most ${formatNumber(limits.metadataBytes)} bytes of JSON. Only you can see them.`,
          ],
        ],
      },
      'A link ends in 16 letters and digits, such as `W904-2CKW-GDNC-X7S1`. It contains no token, because models garble long URLs and previews leak them. Two of the 16 are check characters, so that a mistyped link is recognised as mistyped.',
      {
        note: 'While you build, look at `warnings` in the response. It lists what people who open the link will miss, such as a verified domain.',
      },
      { heading: 'Bind a response', id: 'bind-response' },
      'Bind the exact text of your AI’s answer. The registry stores its SHA-256, and people can paste the text they received to compare it in their browser. With your API key, the page says that you attached it; without, that someone who had the token did. A link can have one binding of each kind.',
      { sample: 'bind-response', caption: 'Bind a response' },
      {
        endpoints: [
          'verifications.create',
          'verifications.bind',
          'account.verifications',
          'account.verificationsByDay',
          'account.usage',
        ],
      },
    ],
  },

  'verify-token': {
    name: 'Verify Token',
    blocks: [
      'Send what the chat gave you: the link, its code or the token. No API key is needed. There are three distinct results.',
      { sample: 'verify-token', caption: 'Verify' },
      {
        heads: ['Result', 'HTTP', 'SDK `result`', 'CLI'],
        rows: [
          ['Verified', '200', '`verified`', '0'],
          [
            'Not verified',
            '400 or 404; 200 for a genuine link of a provider without a verified domain',
            '`not_verified` with a `reason`',
            '3',
          ],
          ['Could not check', '503', '`unknown`', '9'],
        ],
      },
      'Every response lists the checks: `passed` is true, false, or null if something was not or could not be checked. Show people the verified domain, not the company name: rely on `provider.domain` only if `provider.domain_verified` is true.',
      'Reading a link changes nothing, so previews and scanners may open it. The link page calls `opened` once a person has read it.',
      { heading: 'Offline verification', id: 'verify-offline' },
      `A token (not a link) can be checked with only the registry’s public keys, which may be cached for ${formatNumber(jwksMaxAgeSeconds / 60)} minutes. This does not show what has changed since the link was created: \`live_state\` is \`not_checked\`.`,
      { sample: 'verify-offline', caption: 'Verify offline' },
      {
        heads: ['Claim', 'Meaning'],
        rows: [
          [
            '`iss`, `jti`, `iat`, `exp`',
            'The registry, the verification ID, and when it was issued and expires, in seconds since 1970',
          ],
          ['`model_id`, `model_identifier`, `version`, `model_digest`', 'The version of the model'],
          ['`provider_id`, `provider_domain`', 'The provider; the domain is present only if verified'],
          [
            '`deployment_id`, `deployment_binding`, `spki_fingerprint`',
            'The server that requested the link, and how it was proven',
          ],
          ['`challenge`, `origin`, `user_fp`', 'What was given when the link was created'],
          ['`bound_to_response`, `response_hash`, `bound_by`', 'The bound response'],
        ],
      },
      'Tokens are JWTs signed with Ed25519 (`alg` `EdDSA`, `typ` `vt+jwt`, or `bound+jwt` with a bound response). Check `typ`, `iss` and `kid` as well, or let the SDK do it.',
      { heading: 'The transparency log', id: 'log' },
      'Every fact that a verdict rests on is an entry of a public log, which independent witnesses can watch. `log.proofs` returns these facts for a link, each with its entry and a proof (c2sp.org/tlog-proof), and the verdict signed by the registry. Checked against keys that you have pinned, the proofs hold even if the registry lies. The tree is at `/log`, its keys at `/.well-known/countersign-log`.',
      {
        endpoints: ['verifications.get', 'verifications.inspect', 'verifications.opened', 'signing.jwks', 'log.proofs'],
      },
    ],
  },
} as const satisfies Record<string, DocsSection>
