import { classes } from '../classes.ts'

/** A placeholder for a line of text. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={classes('h-5 rounded-chip bg-sunken motion-safe:animate-pulse', className)} />
)

/** As many rows as the list will first have. */
export const SkeletonRows = ({ count = 8 }: { count?: number }) => (
  <div aria-hidden>
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
      <div key={index} className="grid gap-2 border-line border-b py-4">
        <Skeleton className="w-1/3" />
        <Skeleton className="w-2/3" />
      </div>
    ))}
  </div>
)
