import type { z } from 'zod'
import { capabilitiesOfTask, languageText, paperUrl } from './hub.ts'
import type { NewModel } from './models.ts'

type Input = z.input<typeof NewModel>

/** The hub's description of a model at one commit. */
export interface HubModel {
  /** ID on the hub, such as `acme/atlas`. */
  id: string
  /** The commit that was read. */
  sha: string
  /** Whether the hub shows it only to its owner. */
  isPrivate: boolean
  /** Languages in the card. */
  languages: readonly string[]
  /** Licence in the card. */
  licence: string | undefined
  /** Tags on the hub. */
  tags: readonly string[]
  /** The model’s task on the hub. */
  task: string | null
  /** A sentence about the model, from its card. */
  summary: string | undefined
}

/** Reads the hub's answer about a model (`GET /api/models/:id`). Undefined if it cannot be read. */
export const readHubAnswer = (answer: unknown, requested: string): HubModel | undefined => {
  const model = recordOf(answer)
  const card = recordOf(model.cardData)
  if (typeof model.sha !== 'string' || !/^[0-9a-f]{40,64}$/.test(model.sha)) return undefined
  return {
    // The current name of a renamed model.
    id: textOf(model.id) ?? textOf(model.modelId) ?? requested,
    sha: model.sha,
    isPrivate: model.private === true,
    languages: textsOf(card.language),
    licence: textOf(card.license_name) ?? textsOf(card.license)[0],
    tags: textsOf(model.tags),
    task: textOf(model.pipeline_tag) ?? null,
    summary: textOf(card.summary) ?? textOf(card.description) ?? textOf(model.description),
  }
}

const recordOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const textsOf = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => textOf(item) !== undefined)

/** Default names. */
export const namesOfHub = ({ id }: HubModel) => {
  const name = id.slice(id.indexOf('/') + 1)
  return { api_model_identifier: name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 128), display_name: name }
}

/** The fields of a registration that the hub knows. Links point to the commit. */
export const fieldsOfHub = (
  { id, sha, languages, tags, task }: HubModel,
  endpoint: string,
  hasCard: boolean,
): Partial<Input> => ({
  huggingface_model_id: id,
  huggingface_url: `${endpoint}/${id}/tree/${sha}`,
  ...(hasCard && { model_card_url: `${endpoint}/${id}/blob/${sha}/README.md` }),
  ...without({
    language: languageText(languages),
    paper_url: paperUrl(tags),
    capabilities: capabilitiesOfTask(task)?.slice(),
  }),
})

const without = (fields: Partial<Input>): Partial<Input> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const maxDescription = 1_000

/** The card's own summary, or its first paragraph as plain text; and the licence. */
export const describeHub = ({ id, licence, summary }: HubModel, readme: string | undefined): string => {
  const first = summary?.slice(0, maxDescription) ?? (readme === undefined ? undefined : firstParagraph(readme))
  const text = first ?? `${id} of the model hub.`
  return licence === undefined ? text : `${text} Licence: ${licence.slice(0, 100)}.`
}

const firstParagraph = (readme: string): string | undefined =>
  readme
    .slice(0, 20_000)
    .replace(/^\uFEFF?---\r?\n[\s\S]*?\n---[ \t]*(\r?\n|$)/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .split(/\r?\n\s*\r?\n/)
    .map((block) => block.trim())
    // Skip headings, lists, tables, quotations, images and HTML.
    .filter((block) => !/^([#>|<!=-]|\[!|[*+] |\d+[.)] )/.test(block))
    .map(plainWords)
    .find((text) => text.length >= 20)
    ?.slice(0, maxDescription)

const plainWords = (markdown: string) =>
  markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/(\*\*|__|[*`])/g, '')
    .replace(/\s+/g, ' ')
    .trim()
