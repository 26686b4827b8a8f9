import { advanced } from '#messages/docs/advanced.ts'
import { links } from '#messages/docs/links.ts'
import { models } from '#messages/docs/models.ts'
import { page } from '#messages/docs/page.ts'
import { providers } from '#messages/docs/providers.ts'
import { start } from '#messages/docs/start.ts'
import type { DocsSection } from '../../messages/blocks.ts'

const words = { ...start, ...providers, ...models, ...links, ...advanced }

export type SectionId = keyof typeof words

export interface Section extends DocsSection {
  id: SectionId
  /** Other anchors for this section. */
  aliases: readonly string[]
}

const aliases: Partial<Record<SectionId, readonly string[]>> = { 'integration-patterns': ['model-integration'] }

const group = (name: string, ids: readonly SectionId[]) => ({
  name,
  sections: ids.map((id): Section => ({ ...words[id], id, aliases: aliases[id] ?? [] })),
})

/** In the order of the sidebar and the page. */
export const groups = [
  group(page.sidebar.groups.start, ['overview', 'quick-start', 'authentication']),
  group(page.sidebar.groups.api, [
    'register-provider',
    'register-model',
    'model-versioning',
    'deployment-management',
    'sigstore-bundle',
    'huggingface-integration',
    'health-monitoring',
    'create-verification',
    'verify-token',
    'update-profile',
    'incident-reporting',
    'reference',
  ]),
  group(page.sidebar.groups.advanced, [
    'trust-levels',
    'integration-patterns',
    'error-handling',
    'sdk-examples',
    'best-practices',
  ]),
]

export const sections = groups.flatMap((one) => one.sections)

/** The headings inside a section, by anchor. */
export const headingsOf = (section: Section | undefined) =>
  (section?.blocks ?? []).flatMap((block) => (typeof block === 'object' && 'heading' in block ? [block] : []))
