/** How inputs and selects look. */
export const controlLook =
  'min-h-10 w-full rounded-control border border-control bg-surface px-3 py-2 text-small placeholder:text-muted aria-invalid:border-bad disabled:opacity-60'
