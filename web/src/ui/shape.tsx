import type { ReactNode } from 'react'

const cross = 'M6.5 6.5l7 7m0-7l-7 7'
const tick = 'M5.75 10.25l3 3 5.5-6'

const solid = (mark: string) => (
  <>
    <circle cx="10" cy="10" r="9.5" fill="currentColor" />
    <path d={mark} fill="none" stroke="var(--bg)" strokeWidth="2" strokeLinecap="round" />
  </>
)

const ring = (dashes?: string) => (
  <circle cx="10" cy="10" r="8.5" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray={dashes} />
)

const shapes = {
  proven: solid(tick),
  stated: (
    <>
      {ring()}
      <path d="M10 1.5a8.5 8.5 0 0 0 0 17z" fill="currentColor" />
    </>
  ),
  missing: ring('3.34 3.34'),
  failed: solid(cross),
  notice: solid('M10 5.5v5.5m0 3v.01'),
} satisfies Record<string, ReactNode>

export type ShapeName = keyof typeof shapes

/** Filled, half or dashed: how far something is proven, to be told apart without colour. `server/src/site/shapes.ts` draws the same. */
export const Shape = ({ name, label }: { name: ShapeName; label?: string }) => (
  <svg
    className="outcome-shape"
    data-shape={name}
    viewBox="0 0 20 20"
    {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
  >
    {shapes[name]}
  </svg>
)
