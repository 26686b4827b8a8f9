import { describe, expect, it } from 'vitest'
import { takenOver } from './rules.ts'

describe('importing from the hub', () => {
  const hub = {
    id: 'acme/atlas',
    sha: 'a'.repeat(40),
    pipelineTag: 'image-text-to-text',
    languages: ['en'],
    tags: ['arxiv:2307.09288'],
    hasCard: true,
    url: 'https://hub.example/acme/atlas',
    cardUrl: `https://hub.example/acme/atlas/blob/${'a'.repeat(40)}/README.md`,
  }
  const isOfHub = (url: string) => url.startsWith('https://hub.example/')
  const empty = { model_card_url: null, paper_url: null, capabilities: '[]' }

  it('fills empty fields', () => {
    expect(takenOver(hub, empty, isOfHub)).toEqual({
      huggingface_model_id: 'acme/atlas',
      huggingface_url: hub.url,
      huggingface_revision: hub.sha,
      language: 'English',
      model_card_url: hub.cardUrl,
      paper_url: 'https://arxiv.org/abs/2307.09288',
      capabilities: ['text-generation', 'image-understanding'],
    })
  })

  it("keeps the provider's own papers, tasks and card", () => {
    const known = {
      model_card_url: 'https://acme.example/card',
      paper_url: 'https://acme.example/paper',
      capabilities: '["math"]',
    }
    expect(takenOver(hub, known, isOfHub)).toMatchObject({
      model_card_url: undefined,
      paper_url: undefined,
      capabilities: undefined,
    })
  })

  it('points a card on the hub to the commit that was read, and adds no missing card', () => {
    expect(takenOver(hub, { ...empty, model_card_url: 'https://hub.example/acme/atlas' }, isOfHub).model_card_url).toBe(
      hub.cardUrl,
    )
    expect(takenOver({ ...hub, hasCard: false }, empty, isOfHub).model_card_url).toBeUndefined()
    expect(takenOver({ ...hub, languages: [], pipelineTag: 'robotics', tags: [] }, empty, isOfHub)).toMatchObject({
      language: undefined,
      capabilities: undefined,
      paper_url: undefined,
    })
  })
})
