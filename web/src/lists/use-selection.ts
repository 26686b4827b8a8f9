import { useMemo, useState } from 'react'

/** The selected rows. Rows that leave the list are deselected. */
export const useSelection = (ids: readonly string[]) => {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const chosen = useMemo(() => ids.filter((id) => picked.has(id)), [ids, picked])
  return {
    chosen,
    has: (id: string) => picked.has(id),
    toggle: (id: string) =>
      setPicked((before) => {
        const after = new Set(before)
        if (!after.delete(id)) after.add(id)
        return after
      }),
    isAll: ids.length > 0 && chosen.length === ids.length,
    toggleAll: () => setPicked(chosen.length === ids.length ? new Set() : new Set(ids)),
    clear: () => setPicked(new Set()),
  }
}
