import type { Step } from '../verify/verdict.ts'

/** Filled, half, dashed, crossed out, and with an exclamation mark: how far something is proven, told apart without colour. */
export type ShapeName = Step['state'] | 'failed' | 'notice'

interface ShapePath {
  d: string
  paint: 'fill' | 'line' | 'dashes' | 'mark'
}

const disc: ShapePath = { d: 'M19.5 10a9.5 9.5 0 1 1-19 0 9.5 9.5 0 0 1 19 0z', paint: 'fill' }
const ring = (paint: ShapePath['paint']): ShapePath => ({ d: 'M18.5 10a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0z', paint })

/** The drawing of each, in a square of 20 by 20. */
export const shapes: Record<ShapeName, readonly ShapePath[]> = {
  proven: [disc, { d: 'M5.75 10.25l3 3 5.5-6', paint: 'mark' }],
  stated: [ring('line'), { d: 'M10 1.5a8.5 8.5 0 0 0 0 17z', paint: 'fill' }],
  missing: [ring('dashes')],
  failed: [disc, { d: 'M6.5 6.5l7 7m0-7l-7 7', paint: 'mark' }],
  notice: [disc, { d: 'M10 5.25v5.5m0 3.5v.01', paint: 'mark' }],
}
