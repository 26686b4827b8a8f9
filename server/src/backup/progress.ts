const width = 30
const everyMs = 100

/** A bar on a terminal; nothing elsewhere. */
export const createProgress = (label: string, total: number, output: NodeJS.WriteStream = process.stderr) => {
  let done = 0
  let drawnAt = 0
  const draw = () => {
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.')
    output.write(`\r${label} [${bar}] ${Math.floor(share * 100)}%`)
  }
  const drawNow = () => {
    if (!output.isTTY || performance.now() - drawnAt < everyMs) return
    drawnAt = performance.now()
    draw()
  }
  return {
    add: (more = 1) => {
      done += more
      drawNow()
    },
    set: (value: number) => {
      done = value
      drawNow()
    },
    end: () => {
      if (!output.isTTY) return
      done = total
      draw()
      output.write('\n')
    },
  }
}
