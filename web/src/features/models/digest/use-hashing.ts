import { useEffect, useRef, useState } from 'react'
import type { Chosen, DigestProgress, DigestRefusal, HashedModel } from './digest.ts'

/** Hashes the chosen files; a new choice cancels the previous one. */
export const useHashing = (onHashed: (hashed: HashedModel) => void) => {
  const [progress, setProgress] = useState<DigestProgress>()
  const [refusal, setRefusal] = useState<DigestRefusal>()
  const [isStopped, setIsStopped] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const begin = async (chosen: Chosen) => {
    running.current?.abort()
    const run = new AbortController()
    running.current = run
    setRefusal(undefined)
    setIsStopped(false)
    setProgress({ file: chosen.files[0]?.name ?? '', bytes: 0, total: 0 })
    const { hashModel } = await import('./digest.ts')
    const answer = await hashModel(chosen, { signal: run.signal, onProgress: setProgress })
    if (run.signal.aborted) return
    setProgress(undefined)
    if (answer === undefined) return
    if ('reason' in answer) setRefusal(answer)
    else onHashed(answer)
  }

  const stop = () => {
    running.current?.abort()
    setProgress(undefined)
    setIsStopped(true)
  }

  return { progress, refusal, isStopped, begin, stop }
}
