import { askRegistry, type Question, readQuestion } from './ask.ts'
import { badgeStyle } from './style.ts'
import type { BadgeVerdict } from './verdict.ts'
import { textOf, timeLeft } from './words.ts'

/** A good answer is asked for again, because what stands behind a link may change. */
const askAgainMs = 60_000

interface Instant {
  wallMs: number
  steadyMs: number
}

const readInstant = (): Instant => ({ wallMs: Date.now(), steadyMs: performance.now() })

/** The longer of two clocks, because each can stand still. */
const elapsedMs = (from: Instant) => {
  const to = readInstant()
  return Math.max(0, to.wallMs - from.wallMs, to.steadyMs - from.steadyMs)
}

const partOf = (tag: 'span' | 'strong', text: string, className = '') => {
  const part = document.createElement(tag)
  part.className = className
  part.textContent = text
  return part
}

const createView = (root: ShadowRoot) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(badgeStyle)
  root.adoptedStyleSheets = [sheet]
  const status = document.createElement('span')
  status.setAttribute('role', 'status')
  root.append(status)
  // Not read out each second.
  const timer = partOf('span', '')
  timer.setAttribute('role', 'timer')

  return {
    show: (verdict: BadgeVerdict | undefined, { registry, page }: Pick<Question, 'registry' | 'page'>, leftMs: number) => {
      const { headline, rest, time } = textOf(verdict, new URL(registry).host, leftMs)
      const badge = document.createElement(page === null ? 'span' : 'a')
      badge.className = 'badge'
      badge.dataset.state = verdict?.state ?? 'checking'
      if (verdict?.state === 'not-verified') badge.dataset.why = verdict.why
      if (badge instanceof HTMLAnchorElement && page !== null) {
        badge.href = page
        badge.target = '_blank'
        badge.rel = 'noopener noreferrer'
      }
      timer.textContent = time
      badge.append(partOf('strong', headline), ' ', partOf('span', rest, 'rest'), ' ', timer)
      status.replaceChildren(badge)
    },
    tick: (leftMs: number) => {
      timer.textContent = timeLeft(leftMs)
    },
  }
}

const isGood = (verdict: BadgeVerdict | undefined): verdict is Extract<BadgeVerdict, { domain: string }> =>
  verdict !== undefined && 'domain' in verdict

type View = ReturnType<typeof createView>

/** Asks about a link, and keeps the view true, until it is told to stop. */
const watch = (view: View, question: Question): (() => void) => {
  let isOver = false
  let isAsking = false
  let timer: ReturnType<typeof setInterval> | undefined
  let shown: { verdict: BadgeVerdict | undefined; askedAt: Instant } = { verdict: undefined, askedAt: readInstant() }

  const leftMs = () => {
    const { verdict, askedAt } = shown
    return isGood(verdict) ? verdict.expiresAtMs - verdict.checkedAtMs - elapsedMs(askedAt) : 0
  }

  const show = (verdict: BadgeVerdict | undefined, askedAt: Instant) => {
    shown = { verdict, askedAt }
    clearInterval(timer)
    // Written so that a link without time left is not shown as good.
    if (isGood(verdict) && !(leftMs() > 0)) return view.show({ state: 'not-verified', why: 'expired' }, question, 0)
    view.show(verdict, question, leftMs())
    if (isGood(verdict)) timer = setInterval(tick, 1_000)
  }

  const ask = async () => {
    if (isAsking) return
    isAsking = true
    const askedAt = readInstant()
    const verdict = await askRegistry(question, location.origin)
    isAsking = false
    if (!isOver) show(verdict, askedAt)
  }

  const tick = () => {
    if (!(leftMs() > 0)) return show(shown.verdict, shown.askedAt)
    view.tick(leftMs())
    if (elapsedMs(shown.askedAt) > askAgainMs && document.visibilityState === 'visible') void ask()
  }

  // Who comes back to a page is not shown for long what was true when they left.
  const returned = () => {
    if (document.visibilityState !== 'visible' || !isGood(shown.verdict)) return
    tick()
    void ask()
  }

  show(undefined, shown.askedAt)
  void ask()
  document.addEventListener('visibilitychange', returned)
  return () => {
    isOver = true
    clearInterval(timer)
    document.removeEventListener('visibilitychange', returned)
  }
}

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** The origin of a registry; nothing where it could be read or changed on the way. */
export const registryOrigin = (address: string): string | null => {
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  return origin.startsWith('https://') || loopback.test(origin) ? origin : null
}

/** Custom elements are classes; this is one for each registry that a page trusts. */
export const createBadgeElement = (registry: string): CustomElementConstructor =>
  class CountersignBadge extends HTMLElement {
    static observedAttributes = ['link']

    #view: View | undefined
    #stop: (() => void) | undefined

    connectedCallback() {
      this.#start()
    }

    disconnectedCallback() {
      this.#stop?.()
      this.#stop = undefined
    }

    attributeChangedCallback() {
      if (this.#stop) this.#start()
    }

    #start() {
      this.#stop?.()
      this.#view ??= createView(this.attachShadow({ mode: 'open' }))
      // Not an attribute: whoever can write one into a page must not choose whom it believes.
      this.#stop = watch(this.#view, readQuestion(registry, this.getAttribute('link') ?? ''))
    }
  }
