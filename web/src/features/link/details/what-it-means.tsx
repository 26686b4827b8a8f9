import { linkDetails } from '#messages/pages/link-details.ts'
import { Fold } from './fold.tsx'

const { means } = linkDetails

export const WhatItMeans = ({ model, domain }: { model: string; domain: string }) => {
  const { authentic, secure, trusted } = means.items
  return (
    <Fold heading={means.heading}>
      <dl className="grid gap-2">
        <Item name={authentic.name} text={authentic.text(domain, model)} />
        <Item name={secure.name} text={secure.text} />
        <Item name={trusted.name} text={trusted.text(domain)} />
      </dl>
    </Fold>
  )
}

const Item = ({ name, text }: { name: string; text: string }) => (
  <div className="grid gap-x-4 sm:grid-cols-[7.5rem_1fr]">
    <dt className="font-semibold">{name}</dt>
    <dd>{text}</dd>
  </div>
)
