import { createInterface, emitKeypressEvents, type Interface } from 'node:readline'
import { coloredText } from '../../../render/output.ts'
import { draftOf, edit, type Key, layout } from './line-editor.ts'

/** A person at a terminal: single keys, and text edited in place. Output goes to stderr. */
export interface Keyboard {
  columns(): number
  show(text: string): void
  /** The first of the offered keys that is pressed. `fresh` discards keys typed before the question. */
  press(offered: readonly string[], when?: 'fresh'): Promise<string>
  /** The text once Enter is pressed, or undefined after Escape. Calls back on every change. */
  write(text: string, changed: (text: string) => void): Promise<string | undefined>
  /** How to finish and leave `write`, in words. */
  writing: string
  close(): void
}

interface Pressed extends Key {
  typed: string | undefined
}

export const openKeyboard = (signal: AbortSignal, env: Readonly<Record<string, string | undefined>>): Keyboard =>
  env.TERM === 'dumb' ? openLines() : openKeys(signal)

const columns = () => Math.max(20, process.stderr.columns || 80)
const send = (text: string) => void process.stderr.write(text)
/** Strips everything that could act on the terminal: the text comes from strangers. */
const show = (text: string) => send(coloredText(text))

/* ---- a terminal whose cursor moves ---- */

// Bracketed paste: the terminal marks where pasted text begins and ends.
const [begin, end] = ['\u001b[?2004h', '\u001b[?2004l']

const openKeys = (signal: AbortSignal): Keyboard => {
  const { stdin, stderr } = process
  const early: Pressed[] = []
  let take: ((pressed: Pressed) => void) | undefined
  let isPasting = false
  let isHeld = false
  let redraw = () => {}
  let fail: (reason: unknown) => void = () => {}

  const hold = () => {
    isHeld = true
    stdin.setRawMode(true)
    stdin.resume()
    send(begin)
  }
  const release = () => {
    isHeld = false
    stdin.setRawMode(false)
    stdin.pause()
    send(end)
  }
  const suspend = () => {
    release()
    const resume = () => {
      if (isHeld) return
      hold()
      redraw()
    }
    process.once('SIGCONT', resume)
    process.kill(process.pid, 'SIGTSTP')
    // Don't suspend a process that no shell could continue.
    setTimeout(resume, 100)
  }
  // In raw mode the terminal sends no signals, so handle Ctrl-C and Ctrl-Z here.
  const interrupt = () => void process.emit('SIGINT', 'SIGINT')

  const onKey = (typed: string | undefined, key: Key) => {
    if (key.name === 'paste-start') isPasting = true
    else if (key.name === 'paste-end') {
      isPasting = false
      take?.({ ...key, typed: undefined })
    } else if (key.ctrl && key.name === 'c') interrupt()
    else if (key.ctrl && key.name === 'z' && process.platform !== 'win32') suspend()
    else if (isPasting) take?.({ typed: typed === '\r' ? '\n' : typed, name: 'pasted' })
    else if (take === undefined) early.push({ ...key, typed })
    else take({ ...key, typed })
  }
  const close = () => {
    signal.removeEventListener('abort', leave)
    stdin.off('keypress', onKey)
    stdin.off('end', interrupt)
    release()
  }
  const leave = () => {
    close()
    fail(signal.reason)
  }

  // Don't wait half a second to tell a lone Escape from a sequence.
  emitKeypressEvents(stdin, { escapeCodeTimeout: 50 } as unknown as Interface)
  stdin.on('keypress', onKey)
  stdin.on('end', interrupt)
  signal.addEventListener('abort', leave)
  hold()

  /** Gives each key to the reader until it has an answer. */
  const listen = <T>(read: (pressed: Pressed) => { answer: T } | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      fail = reject
      const offer = (pressed: Pressed) => {
        const found = read(pressed)
        if (found === undefined) return
        take = undefined
        resolve(found.answer)
      }
      take = offer
      for (let pressed = early.shift(); pressed !== undefined; pressed = take === offer ? early.shift() : undefined)
        offer(pressed)
    })

  const write = async (text: string, changed: (text: string) => void) => {
    let draft = draftOf(text)
    let cursorRow = 0
    redraw = () => {
      const { rows, row, column } = windowOf(layout(draft, columns() - 3), Math.max(3, (stderr.rows || 24) - 3))
      send(
        `${up(cursorRow)}\r\u001b[J${rows.map((line) => `  ${line}`).join('\n')}${up(rows.length - 1 - row)}\r\u001b[${column + 2}C`,
      )
      cursorRow = row
    }
    redraw()
    const answer = await listen<string | undefined>((pressed) => {
      if (pressed.name === 'escape') return { answer: undefined }
      if (pressed.name === 'return' && !pressed.meta) return { answer: draft.text }
      const next = edit(draft, pressed.typed, pressed)
      const hasChanged = pressed.name !== 'pasted' && (next.text !== draft.text || pressed.name === 'paste-end')
      draft = next
      if (hasChanged) changed(draft.text)
      if (pressed.name !== 'pasted') redraw()
      return undefined
    })
    draft = draftOf(draft.text)
    redraw()
    redraw = () => {}
    show('\n')
    return answer
  }

  return {
    columns,
    show,
    write,
    writing: 'Enter finishes, Alt-Enter starts a new line, Esc saves the draft and leaves.',
    press(offered, when) {
      if (when === 'fresh') early.length = 0
      let hasChanged = false
      return listen((pressed) => {
        const name = nameOf(pressed)
        const answer = offered.find((key) => key === name)
        if (answer !== undefined) return { answer }
        // Print it only once, even after several wrong keys.
        if (pressed.typed !== undefined && name !== 'pasted' && (!hasChanged || name === '?'))
          show(`${unknownKey(name, offered)}\n`)
        hasChanged = true
        return undefined
      })
    },
    close,
  }
}

const unknownKey = (name: string | undefined, offered: readonly string[]) =>
  `${name !== undefined && /^[a-z\d]$/.test(name) ? `${name} does nothing here. ` : ''}Keys: ${offered.join(', ').replace('escape', 'Esc')}`

const up = (count: number) => (count > 0 ? `\u001b[${count}A` : '')

const nameOf = ({ typed, name, ctrl, meta }: Pressed) =>
  ctrl || meta ? undefined : name === 'return' ? 'enter' : (name ?? typed)

/** As many rows around the cursor as the terminal can redraw. */
const windowOf = ({ rows, row, column }: ReturnType<typeof layout>, height: number) => {
  const first = Math.max(0, Math.min(row - height + 1, rows.length - height))
  return { rows: rows.slice(first, first + height), row: row - first, column }
}

/* ---- TERM=dumb: whole lines ---- */

const openLines = (): Keyboard => {
  const lines: string[] = []
  let take: ((line: string) => void) | undefined
  show('This terminal sends whole lines: press Enter after each key.\n')
  const input = createInterface({ input: process.stdin, terminal: false })
  input.on('line', (line) => {
    if (take === undefined) return void lines.push(line)
    const given = take
    take = undefined
    given(line)
  })
  input.on('close', () => void process.emit('SIGINT', 'SIGINT'))
  const next = () =>
    new Promise<string>((resolve) => {
      const line = lines.shift()
      if (line === undefined) take = resolve
      else resolve(line)
    })

  return {
    columns,
    show,
    writing: 'An empty line finishes; a line with a single dot saves the draft and leaves.',
    async press(offered, when) {
      if (when === 'fresh') lines.length = 0
      for (;;) {
        const line = (await next()).trim().toLowerCase()
        const key = line === '' ? 'enter' : line === '.' ? 'escape' : line.slice(0, 1)
        if (offered.includes(key)) return key
        show(`Type one of ${offered.filter((each) => each.length === 1).join(', ')} and Enter: `)
      }
    },
    async write(text, changed) {
      let written = text
      if (written !== '') show(`${written}\n`)
      for (;;) {
        const line = await next()
        if (line === '.') return undefined
        if (line === '') return written
        written = written === '' ? line : `${written}\n${line}`
        changed(written)
      }
    },
    close: () => {
      input.removeAllListeners('close')
      input.close()
    },
  }
}
