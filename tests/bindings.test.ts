import { readFileSync } from 'node:fs'
import { bindings } from '@countersign/sdk/contract'
import { policy } from '@countersign/sdk/verify'
import { linkWords } from '@countersign/sdk/words'
import { expect, it } from 'vitest'
import { bindingWords } from '../cli/src/render/binding-words.ts'
import { deploymentsTab } from '../web/src/messages/en/dashboard/deployments.ts'
import { verificationsTab } from '../web/src/messages/en/dashboard/verifications.ts'
import { linkDetails } from '../web/src/messages/en/pages/link-details.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const proven = bindings.filter((binding) => binding !== 'self-asserted')

it.each(proven)('pages, the command line, policies and the docs know servers proven by %s', (binding) => {
  expect(linkWords.steps.words).toHaveProperty(`server_${binding}`)
  for (const texts of [bindingWords, deploymentsTab.lastProof.by, verificationsTab, linkDetails])
    expect(JSON.stringify(texts)).toContain(`"${binding}"`)
  expect(() => policy({ deploymentProofs: [binding] })).not.toThrow()
  expect(read('docs/concepts.md')).toContain(`- \`${binding}\`: `)
  expect(read('docs/sdk.md')).toMatch(new RegExp(`\`deploymentProofs\`.*\`${binding}\``))
  expect(read('web/src/messages/en/docs/models.ts')).toContain(`['\`${binding}\`'`)
})
