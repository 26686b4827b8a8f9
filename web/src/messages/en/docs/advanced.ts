import { limits } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'
import type { DocsSection } from '../../blocks.ts'

/** The Advanced group, and the list of all endpoints. */
export const advanced = {
  reference: {
    name: 'All Endpoints',
    blocks: [
      'Every endpoint, with a link to its fields. For tools, use the [OpenAPI 3.1 document](/openapi.json).',
      { computed: 'index' },
    ],
  },

  'trust-levels': {
    name: 'Trust Levels & Scoring',
    blocks: [
      'Each provider has a level and a score from 0 to 100, the sum of the components below. Both are computed each time they are shown. A level says how much is known about a provider, not how good its models are.',
      { heading: 'Levels', id: 'trust-thresholds' },
      { computed: 'trust-levels' },
      'Without a verified email address the level is `unverified`, without a verified domain at most `basic`, and without a verified bundle of its own signer and five opened links at most `standard`, regardless of the score. Only known certifications count.',
      { heading: 'Components', id: 'trust-components' },
      { computed: 'trust-components' },
      '`trust_breakdown`, and `countersign providers trust`, list each component with its points and what is missing. `trust_factors` has six of them as true or false.',
      {
        note: 'Whether a link is verified does not depend on the level, only on the verified domain.',
      },
    ],
  },

  'integration-patterns': {
    name: 'Integration Patterns',
    blocks: [
      { heading: 'Give links in your chat', id: 'hand-out-link' },
      'Create the link on your server when a person asks, and pass it on unchanged. Make it a tool that your model can call, with the person’s phrase as `challenge`. Do not let the model write the link from memory.',
      { sample: 'hand-out-link', caption: 'A tool for your chat' },
      {
        heads: ['Protects against', 'Send', 'The person sees'],
        rows: [
          ['a link that was copied from someone else', '`challenge`', 'their own phrase on the page'],
          ['a chat on another site', '`origin`', 'the address their chat should have'],
          [
            'an answer that was changed in transit',
            'a bound response',
            'whether the text they paste is the one you bound',
          ],
          [
            'a server that is not yours',
            'mutual TLS, a signature or a platform’s token',
            'that an authorized deployment requested the link',
          ],
        ],
      },
      { heading: 'Agents check each other', id: 'gate' },
      'Ask the other side for a link and say which provider you expect. Continue only if the result is `verified`.',
      { sample: 'gate', caption: 'Continue only if verified' },
      { heading: 'Releases in a pipeline', id: 'pipeline' },
      'Register what you ship from the job that builds it. For a version that exists, the command exits 0 if the digest matches and 6 if it doesn’t.',
      { sample: 'pipeline', caption: 'In CI' },
      { heading: 'On your own pages', id: 'own-pages' },
      'Show a link on your own page. The reader’s browser checks it, without a key. The badge says *verified* with the domain and the time left, *not verified* and why, or *could not check*.',
      { sample: 'badge', caption: 'A badge that checks a link' },
      'Models and providers also have images, at `/badge/models/:id.svg` and `/badge/providers/:id.svg`. They say who registered, never that a model is verified. Only the page they link to is proof.',
      { heading: 'Find providers and models', id: 'find' },
      `Lists are paged by \`next_cursor\`, ${limits.pageSize} at a time unless you set \`limit\`, ${limits.maxPageSize} at most. Search returns up to ${limits.searchResults} providers and ${limits.searchResults} models, and needs at least ${limits.minSearchText} characters.`,
      { sample: 'lists', caption: 'Lists and search' },
      { endpoints: ['search.find', 'providers.list'] },
    ],
  },

  'error-handling': {
    name: 'Error Handling',
    blocks: [
      'Errors are problem documents (RFC 9457, `application/problem+json`). Use `code` in programs: it does not change. `detail` is for people. `request_id` identifies the request in the registry’s log.',
      { sample: 'error-handling', caption: 'Handle errors' },
      {
        list: [
          '**400** the request can’t be read, or the link is not valid. **401** no valid API key. **403** the key may not do this. **404** doesn’t exist, or not visible to you: both get the same response. **409** a conflict. **422** a field is not valid: `errors` lists each, with `loc`, `msg` and `pointer`.',
          '409 for a model adds `error: "model_exists"`, `message` and `existing_model`.',
          'If the response has `Retry-After`, wait that many seconds and send the request again. The SDK retries twice, after network errors, 408, 429 and 5xx.',
          'Send an `Idempotency-Key` when you create something, so that a repeated request does not create it twice. The SDK does this for you.',
        ],
      },
      { heading: 'Every code', id: 'error-codes' },
      { computed: 'errors' },
      { heading: 'Exit codes of the command line', id: 'exit-codes' },
      { computed: 'exit-codes' },
      '`countersign verify` exits only 0, 2, 3 or 9; any failure along the way is 9. Its `--help` exits 2, so 0 always means *verified*. Write a link from someone else after `--`, so that it can’t be an option and `-` does not read stdin.',
      { heading: 'Limits', id: 'limits' },
      {
        heads: ['What', 'Limit'],
        rows: [
          [
            'Request body',
            `${formatNumber(limits.bodyBytes)} bytes unless the endpoint says otherwise; ${limits.nesting} levels deep`,
          ],
          ['Lifetime of a link', `${formatNumber(limits.tokenLifetimeSeconds)} seconds`],
          ['Time to edit a new version', `${formatNumber(limits.quickEditSeconds)} seconds`],
          ['Entries per page', `${limits.pageSize}, ${limits.maxPageSize} at most`],
          ['Bound text', `${formatNumber(limits.responseTextBytes)} characters`],
          ['Link metadata', `${formatNumber(limits.metadataBytes)} bytes`],
          ['Labels per deployment', `${limits.labels}`],
          ['Password', `${limits.passwordMin} to ${limits.passwordMax} characters`],
        ],
      },
      'Each endpoint’s rate limit is listed with the endpoint. Responses report what is left in `RateLimit` and `RateLimit-Policy`.',
    ],
  },

  'sdk-examples': {
    name: 'SDK Examples',
    blocks: [
      'One method per endpoint, typed from the same contract as this page. Arguments: path parameters, then body or query, then options.',
      { sample: 'client-options', caption: 'Client options' },
      {
        heads: ['Import', 'Content'],
        rows: [
          ['`@countersign/sdk`', 'the client'],
          ['`@countersign/sdk/verify`', 'tokens and link codes, offline; under 10 kB compressed'],
          ['`@countersign/sdk/node`', 'certificates, mutual TLS and file hashing'],
          ['`@countersign/sdk/integrity`', 'check and create signed bundles without the network'],
          ['`@countersign/sdk/contract`', 'the endpoints, schemas, limits and errors themselves'],
        ],
      },
      {
        list: [
          'Iterate over a list with `for await`, or load it with `toArray({ limit })`.',
          '`withResponse()` returns status, headers and request ID.',
          '`verifications.check` never throws for an invalid link or a network failure: both are results.',
          'Mutual TLS also needs the package `undici`.',
        ],
      },
      'More samples: [register a model](#register-model), [prove a deployment](#prove-deployment), [verify offline](#verify-offline), [handle errors](#error-handling).',
    ],
  },

  'best-practices': {
    name: 'Best Practices',
    blocks: [
      {
        list: [
          '**Keep keys on servers.** Never put them in a page, an app, a repository or a prompt. Give each server a restricted key that expires, and replace it in time.',
          '**Prove the domain by DNS**, and leave the record in place.',
          '**Create links when asked.** A link in a footer proves nothing. Create one for each person who asks, with their phrase as `challenge`.',
          '**Prove deployments.** With `require_deployment_proof` on a model, a stolen API key alone can’t create links.',
          '**Register digests** in the pipeline that builds the model, and sign bundles there.',
          '**Archive old versions.** A version that you no longer run should not have valid links.',
          '**Say what you check.** “Not verified” and “could not check” mean different things; show them differently.',
          '**Answer reports.** Open verified reports count in your model’s public numbers.',
        ],
      },
    ],
  },
} as const satisfies Record<string, DocsSection>
