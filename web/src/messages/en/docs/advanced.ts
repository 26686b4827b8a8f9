import { limits } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'
import type { DocsSection } from '../../blocks.ts'

/** Advanced, and the list of all endpoints. */
export const advanced = {
  reference: {
    name: 'All Endpoints',
    blocks: [
      'Every endpoint, with a link to its fields. The same as a document for tools: [OpenAPI 3.1](/openapi.json).',
      { computed: 'index' },
    ],
  },

  'trust-levels': {
    name: 'Trust Levels & Scoring',
    blocks: [
      'Each provider has a score from 0 to 100, made of the components below, and a level. Both are computed from the record each time they are shown. A level says how much is known about a provider; it is no judgement of its models.',
      { heading: 'Levels', id: 'trust-thresholds' },
      { computed: 'trust-levels' },
      'Without a verified e-mail address the level is `unverified`, without a verified domain at most `basic`, and without a verified bundle of its own signer and five opened links at most `standard`, whatever the score. Of certifications only known ones count.',
      { heading: 'Components', id: 'trust-components' },
      { computed: 'trust-components' },
      '`trust_breakdown`, and `countersign providers trust`, list each component with its points and what is missing. `trust_factors` has six of them as true or false.',
      {
        note: 'Levels are not the answer to “is this link verified?”. That depends on the verified domain alone.',
      },
    ],
  },

  'integration-patterns': {
    name: 'Integration Patterns',
    blocks: [
      { heading: 'Your chat proves itself', id: 'hand-out-link' },
      'Create the link on your server when a person asks, and hand it out as it is. Make it a tool that your model may call, with the phrase that the person gave as `challenge`. Do not let the model write the link from memory.',
      { sample: 'hand-out-link', caption: 'A tool for your chat' },
      {
        heads: ['Against', 'Give', 'The person sees'],
        rows: [
          ['a link that was copied from someone else', '`challenge`', 'their own phrase on the page'],
          ['a chat on another site', '`origin`', 'where the chat should be'],
          ['an answer that was changed on the way', 'a bound response', 'whether the text they paste is the one you bound'],
          ['a server that is not yours', 'mutual TLS', 'that an authorized deployment asked'],
        ],
      },
      { heading: 'An agent checks another', id: 'gate' },
      'Ask the other side for a link and say whom you expect. Anything but `verified` is a no.',
      { sample: 'gate', caption: 'Go on only if it is them' },
      { heading: 'Releases in a pipeline', id: 'pipeline' },
      'Register what you ship from the job that builds it. The same file again ends with 0, another one under the same version with 6.',
      { sample: 'pipeline', caption: 'In CI' },
      { heading: 'On your own pages', id: 'own-pages' },
      'Show a link on a page of yours and have it checked in the browser of whoever reads it, without a key. The badge says *verified* with the domain and the time left, *not verified* and why, or *could not check*.',
      { sample: 'badge', caption: 'A badge that checks a link' },
      'For a model or a provider there is a picture, too, at `/badge/models/:id.svg` and `/badge/providers/:id.svg`: it says who registered, and never that a model is verified. What counts is the page of this registry that it leads to.',
      { heading: 'Find providers and models', id: 'find' },
      `Lists are paged by \`next_cursor\`, ${limits.pageSize} at a time unless you set \`limit\`, ${limits.maxPageSize} at most. Search finds providers and models, ${limits.searchResults} of each, from ${limits.minSearchText} characters on.`,
      { sample: 'lists', caption: 'Lists and search' },
      { endpoints: ['search.find', 'providers.list'] },
    ],
  },

  'error-handling': {
    name: 'Error Handling',
    blocks: [
      'A refusal is a problem document (RFC 9457, `application/problem+json`). Decide by `code`, which does not change; `detail` is for people; `request_id` names the request in the log of the registry.',
      { sample: 'error-handling', caption: 'Handle refusals' },
      {
        list: [
          '**400** cannot be read, or is a link that is not good. **401** no valid key. **403** a valid key that may not do this. **404** not there, or not visible to you: both in the same words. **409** a conflict. **422** a field is not valid: `errors` names each, with `loc`, `msg` and `pointer`.',
          '409 for a model adds `error: "model_exists"`, `message` and `existing_model`.',
          'Where `Retry-After` stands, wait so many seconds and send the same again. The SDK does: twice, after network errors, 408, 429 and 5xx.',
          'Send an `Idempotency-Key` with calls that create, and repeating one makes nothing twice. The SDK does that, too.',
        ],
      },
      { heading: 'Every code', id: 'error-codes' },
      { computed: 'errors' },
      { heading: 'Exit codes of the command line', id: 'exit-codes' },
      { computed: 'exit-codes' },
      '`countersign verify` ends with 0, 2, 3 or 9 only: whatever fails on the way is 9.',
      { heading: 'Limits', id: 'limits' },
      {
        heads: ['What', 'Limit'],
        rows: [
          [
            'Body of a request',
            `${formatNumber(limits.bodyBytes)} bytes, where an endpoint does not say otherwise; ${limits.nesting} levels deep`,
          ],
          ['Life of a link', `${formatNumber(limits.tokenLifetimeSeconds)} seconds`],
          ['Correcting a fresh version', `${formatNumber(limits.quickEditSeconds)} seconds`],
          ['Entries of a page', `${limits.pageSize}, ${limits.maxPageSize} at most`],
          ['Text that is bound', `${formatNumber(limits.responseTextBytes)} characters`],
          ['Metadata of a link', `${formatNumber(limits.metadataBytes)} bytes`],
          ['Labels of a deployment', `${limits.labels}`],
          ['Password', `${limits.passwordMin} to ${limits.passwordMax} characters`],
        ],
      },
      'How often an endpoint may be called stands with the endpoint. Answers tell what is left in `RateLimit` and `RateLimit-Policy`.',
    ],
  },

  'sdk-examples': {
    name: 'SDK Examples',
    blocks: [
      'One method for each endpoint, typed from the same contract as this page: the parameters of the path, then the body or query, then options.',
      { sample: 'client-options', caption: 'Options of the client' },
      {
        heads: ['Import', 'What it is'],
        rows: [
          ['`@countersign/sdk`', 'the client'],
          ['`@countersign/sdk/verify`', 'tokens and link codes, offline; under 10 kB compressed'],
          ['`@countersign/sdk/node`', 'certificates, mutual TLS and hashing of files'],
          ['`@countersign/sdk/integrity`', 'signed bundles, checked and made without the network'],
          ['`@countersign/sdk/contract`', 'the endpoints, schemas, limits and errors themselves'],
        ],
      },
      {
        list: [
          'Walk a list with `for await`, or take it with `toArray({ limit })`.',
          '`withResponse()` gives status, headers and the id of the request.',
          '`verifications.check` never throws for a bad link or a bad network: both are answers.',
          'Mutual TLS needs the package `undici` beside the SDK.',
        ],
      },
      'More of it: [register a model](#register-model), [prove a deployment](#prove-deployment), [verify offline](#verify-offline), [handle refusals](#error-handling).',
    ],
  },

  'best-practices': {
    name: 'Best Practices',
    blocks: [
      {
        list: [
          '**Keep keys on servers.** Never in a page, an app, a repository or a prompt. Give each server a restricted key that expires, and replace it before it does.',
          '**Prove the domain by DNS**, and leave the record there.',
          '**Mint when asked.** A link for everyone in a footer proves nothing to anyone. Make one for each person who asks, with their phrase as `challenge`.',
          '**Prove deployments.** Set `require_deployment_proof` on a model, and a stolen key alone mints nothing.',
          '**Register digests** in the pipeline that builds the model, and sign bundles there.',
          '**Archive what is gone.** A version that you do not run should not vouch for anything.',
          '**Say what you check.** “Not verified” and “could not check” are different news; show them differently.',
          '**Answer reports.** Open verified reports show in the numbers of your model.',
        ],
      },
    ],
  },
} as const satisfies Record<string, DocsSection>
