import { askRegistry, pageOf, type Question, readQuestion } from './ask.ts'
import { badgeStyle } from './style.ts'
import type { BadgeVerdict } from './verdict.ts'
import { textOf, timeLeft } from './words.ts'

/** Valid links are checked again, because they can be revoked. */
const askAgainMs = 60_000

interface Instant {
  wallMs: number
  steadyMs: number
}

const readInstant = (): Instant => ({ wallMs: Date.now(), steadyMs: performance.now() })

/** The longer time of two clocks, because each can stop. */
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
  // So that screen readers don't read it every second.
  const timer = partOf('span', '')
  timer.setAttribute('role', 'timer')

  return {
    show: (
      verdict: BadgeVerdict | undefined,
      { registry, page: ownPage }: Pick<Question, 'registry' | 'page'>,
      leftMs: number,
    ) => {
      const page = verdict && 'code' in verdict && verdict.code ? pageOf(registry, verdict.code) : ownPage
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

/** Checks a link and keeps the view current. Returns a function that stops it. */
const watch = (view: View, question: Question): (() => void) => {
  let isOver = false
  let isAsking = false
  let timer: ReturnType<typeof setInterval> | undefined
  let shown: { verdict: BadgeVerdict | undefined; requestedAt: Instant } = {
    verdict: undefined,
    requestedAt: readInstant(),
  }

  const leftMs = () => {
    const { verdict, requestedAt } = shown
    return isGood(verdict) ? verdict.expiresAtMs - verdict.checkedAtMs - elapsedMs(requestedAt) : 0
  }

  const show = (verdict: BadgeVerdict | undefined, requestedAt: Instant) => {
    shown = { verdict, requestedAt }
    clearInterval(timer)
    // Also expired if the remaining time is NaN.
    if (isGood(verdict) && !(leftMs() > 0))
      return view.show({ state: 'not-verified', why: 'expired', code: verdict.code }, question, 0)
    view.show(verdict, question, leftMs())
    if (isGood(verdict)) timer = setInterval(tick, 1_000)
  }

  const ask = async () => {
    if (isAsking) return
    isAsking = true
    const requestedAt = readInstant()
    const verdict = await askRegistry(question, location.origin)
    isAsking = false
    if (!isOver) show(verdict, requestedAt)
  }

  const tick = () => {
    if (!(leftMs() > 0)) return show(shown.verdict, shown.requestedAt)
    view.tick(leftMs())
    if (elapsedMs(shown.requestedAt) > askAgainMs && document.visibilityState === 'visible') void ask()
  }

  // Refresh when the visitor returns to the page.
  const returned = () => {
    if (document.visibilityState !== 'visible' || !isGood(shown.verdict)) return
    tick()
    void ask()
  }

  show(undefined, shown.requestedAt)
  void ask()
  document.addEventListener('visibilitychange', returned)
  return () => {
    isOver = true
    clearInterval(timer)
    document.removeEventListener('visibilitychange', returned)
  }
}

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** The origin of a registry; null if its connection is not secure. */
export const registryOrigin = (address: string): string | null => {
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  return origin.startsWith('https://') || loopback.test(origin) ? origin : null
}

/** Creates the class of the custom element for one registry. */
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
      // The registry is not an attribute, so that injected markup cannot change it.
      this.#stop = watch(this.#view, readQuestion(registry, this.getAttribute('link') ?? ''))
    }
  }
