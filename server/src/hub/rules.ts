import { capabilitiesOfTask, languageText, paperUrl } from '@countersign/sdk/contract'

interface Declared {
  id: string
  sha: string
  pipelineTag: string | null
  languages: readonly string[]
  tags: readonly string[]
  hasCard: boolean
  url: string
  cardUrl: string
}

interface Known {
  model_card_url: string | null
  paper_url: string | null
  capabilities: string
}

/**
 * What a model imports from the hub. The card declares its language; papers and tasks are derived by the hub, so they only fill empty
 * fields; and a card that the provider keeps elsewhere stays the model's card.
 */
export const takenOver = (hub: Declared, known: Known, isOfHub: (url: string) => boolean) => ({
  huggingface_model_id: hub.id,
  huggingface_url: hub.url,
  huggingface_revision: hub.sha,
  language: languageText(hub.languages),
  model_card_url: hub.hasCard && (!known.model_card_url || isOfHub(known.model_card_url)) ? hub.cardUrl : undefined,
  paper_url: known.paper_url ? undefined : paperUrl(hub.tags),
  capabilities: known.capabilities === '[]' ? capabilitiesOfTask(hub.pipelineTag) : undefined,
})
