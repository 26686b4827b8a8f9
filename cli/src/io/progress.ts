export interface Progress {
  report(done: number, total: number): void
  stop(): void
}

const silent: Progress = { report: () => {}, stop: () => {} }

/** A progress bar on stderr if someone watches, otherwise nothing. */
export const startProgress = async (label: string, isWatched: boolean): Promise<Progress> => {
  if (!isWatched) return silent
  const { default: ora } = await import('ora')
  const spinner = ora({ text: label, discardStdin: false, stream: process.stderr }).start()
  const startedAt = performance.now()
  return {
    report: (done, total) => {
      spinner.text = `${label}  ${describeProgress(done, total, (performance.now() - startedAt) / 1_000)}`
    },
    stop: () => {
      spinner.stop()
    },
  }
}

const noticedMs = 1_000

/** Says what it is waiting for once the wait is noticeable. */
export const createWaiting = (label: string, signal: AbortSignal) => {
  let pending = 0
  let timer: NodeJS.Timeout | undefined
  let stop = () => {}
  const show = async () => {
    const progress = await startProgress(label, true)
    stop = progress.stop
    if (pending === 0 || signal.aborted) stop()
  }
  const leave = () => {
    clearTimeout(timer)
    stop()
  }
  signal.addEventListener('abort', leave, { once: true })
  return async <T>(work: () => Promise<T>): Promise<T> => {
    pending += 1
    if (pending === 1) timer = setTimeout(show, noticedMs)
    try {
      return await work()
    } finally {
      pending -= 1
      if (pending === 0) leave()
    }
  }
}

const cells = 24

export const describeProgress = (done: number, total: number, seconds: number) => {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.round(share * cells)
  const speed = seconds > 0.2 ? `  ${formatBytes(done / seconds)}/s` : ''
  const left =
    seconds > shortestSeconds && done > 0 && done < total
      ? `  ${formatSeconds((seconds / done) * (total - done))} left`
      : ''
  return `${'█'.repeat(filled)}${'░'.repeat(cells - filled)} ${String(Math.floor(share * 100)).padStart(3)}%  ${formatBytes(done)} of ${formatBytes(total)}${speed}${left}`
}

/** Before this, the speed says little. */
const shortestSeconds = 2

/** `45 s`, `3 min 20 s`, `2 h 5 min`. */
export const formatSeconds = (seconds: number) => {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

export const formatBytes = (bytes: number) => {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** power
  return `${power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
