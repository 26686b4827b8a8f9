import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { profileSection } from '#messages/dashboard/profile.ts'
import { type Crop, moveCrop, wholeCrop, zoomCrop } from './crop.ts'

const words = profileSection.logo
const shownSide = 240
const previewSide = 80
/** The size that is sent, larger than any page shows it. */
const sentSide = 512
const keySteps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface CropAreaProps {
  picture: ImageBitmap
  /** Receives a function that renders the selection, whenever the image changes. */
  onPart: (take: () => () => Promise<Blob>) => void
}

/** Selects a square of an image by mouse, touch or arrow keys, with a preview. */
export const CropArea = ({ picture, onPart }: CropAreaProps) => {
  const id = useId()
  const [crop, setCrop] = useState(() => wholeCrop(picture))
  const [zoom, setZoom] = useState(1)
  const grip = useRef<{ x: number; y: number } | null>(null)
  useEffect(() => onPart(() => () => drawPart(picture, crop)), [picture, crop, onPart])

  const scale = crop.side / shownSide
  const drag = ({ clientX: x, clientY: y }: PointerEvent) => {
    const from = grip.current
    if (from === null) return
    grip.current = { x, y }
    setCrop((before) => moveCrop(before, picture, (from.x - x) * scale, (from.y - y) * scale))
  }
  const move = (event: KeyboardEvent) => {
    const step = keySteps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const length = crop.side * (event.shiftKey ? 0.2 : 0.04)
    setCrop((before) => moveCrop(before, picture, step[0] * length, step[1] * length))
  }
  const changeZoom = (next: number) => {
    setZoom(next)
    setCrop((before) => zoomCrop(before, picture, next))
  }
  return (
    <div>
      <p id={`${id}-hint`} className="text-muted text-small">
        {words.crop}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-6">
        <div
          role="application"
          aria-label={words.cropLabel}
          aria-describedby={`${id}-hint`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move it
          tabIndex={0}
          onKeyDown={move}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            grip.current = { x: event.clientX, y: event.clientY }
          }}
          onPointerMove={drag}
          onPointerUp={() => {
            grip.current = null
          }}
          onPointerCancel={() => {
            grip.current = null
          }}
          className="cursor-move touch-none rounded-control border border-control"
        >
          <Part {...{ picture, crop }} side={shownSide} />
        </div>
        <figure>
          <figcaption className="mb-1 text-muted text-small">{words.preview}</figcaption>
          <Part {...{ picture, crop }} side={previewSide} />
        </figure>
      </div>
      <div className="mt-3 max-w-60">
        <label htmlFor={`${id}-zoom`} className="mb-1 block font-semibold text-small">
          {words.zoom}
        </label>
        <input
          id={`${id}-zoom`}
          type="range"
          min={1}
          max={4}
          step={0.05}
          value={zoom}
          onChange={({ target }) => changeZoom(Number(target.value))}
          className="h-6 w-full accent-ink"
        />
      </div>
    </div>
  )
}

const draw = (canvas: HTMLCanvasElement, picture: ImageBitmap, { x, y, side }: Crop, to: number) => {
  canvas.width = to
  canvas.height = to
  const context = canvas.getContext('2d')
  if (context === null) return
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, x, y, side, side, 0, 0, to, to)
}

/** Always as PNG. */
const drawPart = async (picture: ImageBitmap, crop: Crop): Promise<Blob> => {
  const canvas = document.createElement('canvas')
  draw(canvas, picture, crop, Math.max(1, Math.min(sentSide, Math.round(crop.side))))
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('The picture could not be drawn')
  return blob
}

const Part = ({ picture, crop, side }: { picture: ImageBitmap; crop: Crop; side: number }) => {
  const paint = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (canvas !== null) draw(canvas, picture, crop, side * 2)
    },
    [picture, crop, side],
  )
  return (
    <canvas ref={paint} aria-hidden style={{ width: side, height: side }} className="block rounded-control bg-white" />
  )
}
