/** One fault: a file of `scripts/drill` that exports it as `fault` is run by `npm run drill`, in the order of the file names. */
export interface Fault {
  /** The file's name, for `npm run drill -- NAME`. */
  name: string
  /** What breaks, in a few words. */
  does: string
  /** Too long for the drill of all faults: runs only when named. */
  runsWhenNamed?: true
  /** 15 if not set. */
  limitMinutes?: number
  /** Breaks the real thing and returns the figures. Throws if the registry failed. */
  run: (drill: Drill) => Promise<string>
}

export interface Drill {
  /** A number of repetitions, a tenth of it in a quick drill. */
  times: (count: number) => number
  /** Undoes something when the fault is over, however it ended. */
  onEnd: (undo: () => unknown) => void
  say: (line: string) => void
}

/** Throws unless the registry did what it must; the message says what it did instead. */
export function must(isTrue: boolean, otherwise: string): asserts isTrue {
  if (!isTrue) throw new Error(otherwise)
}
