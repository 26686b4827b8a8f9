/** Words of every page. */
export const site = {
  product: 'Countersign',
  tagline: 'Cryptographic identity verification for AI models',
  title: (page: string) => `${page} · Countersign`,

  layout: {
    skip: 'Skip to content',
    home: 'Countersign, home',
    main: 'Main',
    footer: 'Footer',
    checkLink: 'Check a link',
    apiReference: 'API reference',
    publicKeys: 'Public keys',
    development: 'Development registry: nothing here is proof about anyone.',
    footerNote: (host: string) => `You are on ${host}. A verification link of this registry begins with this address.`,
    theme: {
      system: 'Theme: as the system. Change to light',
      light: 'Theme: light. Change to dark',
      dark: 'Theme: dark. Change to the system’s',
    },
  },

  error: {
    heading: 'Something went wrong',
    unexpected: 'An unexpected error occurred',
    reload: 'Reload Page',
  },

  notFound: { title: 'Page not found', heading: '404', text: 'Oops! Page not found', home: 'Return to Homepage' },

  clipboard: { copied: 'Verification URL copied to clipboard', failed: 'Failed to copy to clipboard' },
} as const

const dateTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const date = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })

/** `20 Nov 2026, 22:44 UTC` */
export const formatTime = (time: string) => (Number.isNaN(Date.parse(time)) ? time : `${dateTime.format(new Date(time))} UTC`)

export const formatDay = (time: string) => (Number.isNaN(Date.parse(time)) ? time : date.format(new Date(time)))

/** `12:33`, minutes and seconds. */
export const formatTimeLeft = (ms: number) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}
