import { describe, expect, it } from 'vitest'
import { moveCrop, wholeCrop, zoomCrop } from './crop.ts'

const wide = { width: 400, height: 100 }

describe('the part of an image that becomes the logo', () => {
  it.each([
    { name: 'begins in the middle of a wide image', is: wholeCrop(wide), part: { x: 150, y: 0, side: 100 } },
    {
      name: 'begins in the middle of a tall image',
      is: wholeCrop({ width: 100, height: 300 }),
      part: { x: 0, y: 100, side: 100 },
    },
    { name: 'moves', is: moveCrop(wholeCrop(wide), wide, 50, 0), part: { x: 200, y: 0, side: 100 } },
    { name: 'stops at the right edge', is: moveCrop(wholeCrop(wide), wide, 999, 0), part: { x: 300, y: 0, side: 100 } },
    {
      name: 'stops at the other edges',
      is: moveCrop(wholeCrop(wide), wide, -999, 20),
      part: { x: 0, y: 0, side: 100 },
    },
    { name: 'shrinks around its centre', is: zoomCrop(wholeCrop(wide), wide, 2), part: { x: 175, y: 25, side: 50 } },
    {
      name: 'grows again without leaving the image',
      is: zoomCrop(moveCrop(zoomCrop(wholeCrop(wide), wide, 2), wide, 999, 999), wide, 1),
      part: { x: 300, y: 0, side: 100 },
    },
  ])('$name', ({ is, part }) => {
    expect(is).toEqual(part)
  })
})
