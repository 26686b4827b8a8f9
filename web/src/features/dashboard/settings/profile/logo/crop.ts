// Not `react-easy-crop`: it puts a style element into the page, which the content policy forbids, and this is little code.

/** The part of an image that becomes the logo: a square, in image pixels. */
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

/** The largest centred square. */
export const wholeCrop = ({ width, height }: Size): Crop => {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

/** Moves the square by image pixels, within the image. */
export const moveCrop = (crop: Crop, { width, height }: Size, dx: number, dy: number): Crop => ({
  ...crop,
  x: clamp(crop.x + dx, 0, width - crop.side),
  y: clamp(crop.y + dy, 0, height - crop.side),
})

/** `zoom` 1 shows the largest square, 4 a quarter of it; the centre stays in place as far as the edges allow. */
export const zoomCrop = (crop: Crop, size: Size, zoom: number): Crop => {
  const side = Math.min(size.width, size.height) / zoom
  const shift = (crop.side - side) / 2
  return moveCrop({ ...crop, side }, size, shift, shift)
}
