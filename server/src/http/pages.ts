/** What the server itself says in the head of a page, for those who do not run its scripts: previews and search engines. */
export interface PageHead {
  title: string
  description: string
  /** Pages about one link are never indexed, cached or passed on as a referrer. */
  isAboutLink: boolean
}

const site: PageHead = {
  title: 'Countersign: find out which AI model you are talking to',
  description: 'Companies prove who they are and register their AI models. Ask a model for its link and check it here.',
  isAboutLink: false,
}

/** The same for every link, good or bad: a preview outlives the link and must not look like a result. */
const link: PageHead = {
  title: 'Verification link: open to check',
  description: 'Open the link to see what was checked and when. This preview is not proof.',
  isAboutLink: true,
}

const pages: readonly [pattern: RegExp, head: PageHead][] = [
  [/^\/$/, site],
  [/^\/(v|verify)(\/.*)?$/, link],
]

const unknown: PageHead = { ...site, title: 'Page not found: Countersign' }

export const findPage = (path: string): { head: PageHead; status: 200 | 404 } => {
  const page = pages.find(([pattern]) => pattern.test(path))
  return page ? { head: page[1], status: 200 } : { head: unknown, status: 404 }
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

export const headOf = ({ title, description, isAboutLink }: PageHead, isDevelopment: boolean): string =>
  [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    `<meta property="og:title" content="${escapeHtml(title)}">`,
    `<meta property="og:description" content="${escapeHtml(description)}">`,
    '<meta property="og:type" content="website">',
    '<meta property="og:site_name" content="Countersign">',
    isAboutLink ? '<meta name="robots" content="noindex, nofollow">' : '',
    isDevelopment ? '<meta name="countersign-registry" content="development">' : '',
  ]
    .filter((tag) => tag !== '')
    .join('\n    ')
