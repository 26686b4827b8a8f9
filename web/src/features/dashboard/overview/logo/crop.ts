/** The part of a picture that becomes the logo: a square, in pixels of the picture. */
export interface Crop {
  x: number
  y: number
  side: number
}

interface Size {
  width: number
  height: number
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most))

/** All that fits, from the middle. */
export const wholeCrop = ({ width, height }: Size): Crop => {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

/** By so many pixels of the picture, and never beyond its edges. */
export const moveCrop = (crop: Crop, { width, height }: Size, dx: number, dy: number): Crop => ({
  ...crop,
  x: clamp(crop.x + dx, 0, width - crop.side),
  y: clamp(crop.y + dy, 0, height - crop.side),
})

/** `zoom` 1 shows all that fits, 4 a quarter of it; the middle stays where it is, as far as the edges let it. */
export const zoomCrop = (crop: Crop, size: Size, zoom: number): Crop => {
  const side = Math.min(size.width, size.height) / zoom
  const shift = (crop.side - side) / 2
  return moveCrop({ ...crop, side }, size, shift, shift)
}
