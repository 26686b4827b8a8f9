import { type LinkState, linkTones, sealOf, shapeOf } from '@countersign/sdk/words'
import type { ReactNode } from 'react'
import { link } from '#messages/pages/link.ts'
import { Shape } from './shape.tsx'

interface VerdictBandProps {
  state: LinkState
  /** The text next to the result. */
  seal?: string | undefined
  children: ReactNode
}

/** The first screen of every link: a band that shows the result in colour, shape and words. */
export const VerdictBand = ({ state, seal = sealOf(state), children }: VerdictBandProps) => {
  return (
    <div className="outcome" data-tone={linkTones[state]}>
      <p className="outcome-band">
        <Shape name={shapeOf(state)} />
        <span>{link.bands[state]}</span>
        {seal !== undefined && <span className="outcome-seal">{seal}</span>}
      </p>
      {children}
    </div>
  )
}
