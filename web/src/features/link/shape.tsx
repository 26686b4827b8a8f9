import { type ShapeName, shapes } from '@countersign/sdk/words'

/** A shape for how well something is proven. Without a label, the words beside it say the same. */
export const Shape = ({ name, label }: { name: ShapeName; label?: string }) => (
  <svg
    className="outcome-shape"
    data-shape={name}
    viewBox="0 0 20 20"
    role={label === undefined ? undefined : 'img'}
    aria-label={label}
    aria-hidden={label === undefined}
  >
    {shapes[name].map(({ d, paint }) => (
      <path key={d} d={d} data-paint={paint} />
    ))}
  </svg>
)
