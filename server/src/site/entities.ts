import type { PublicProvider } from '@countersign/sdk/contract'
import { type Badge, badgeOfModel, badgeOfProvider } from './badge.ts'
import { type Head, headOfModel, headOfProvider, type ModelCard } from './heads.ts'

/** What is public and can be linked to. */
export type Entity = { about: 'model'; card: ModelCard } | { about: 'provider'; provider: PublicProvider }

export const headOf = (thing: Entity): Pick<Head, 'title' | 'description'> =>
  thing.about === 'model' ? headOfModel(thing.card) : headOfProvider(thing.provider)

export const badgeOf = (thing: Entity): Badge =>
  thing.about === 'model' ? badgeOfModel(thing.card) : badgeOfProvider(thing.provider)

/** The address of its page; its badge is there as well, under `/badge` and with `.svg`. */
export const pathOf = (thing: Entity): string =>
  thing.about === 'model' ? `/models/${thing.card.model.id}` : `/providers/${thing.provider.id}`
