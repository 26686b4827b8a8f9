import { Link } from 'react-router-dom'
import { page } from '#messages/docs/page.ts'
import { classes } from '../../../ui/classes.ts'
import { headingsOf, type Section } from '../sections.ts'
import { useCurrentSection } from './use-current-section.ts'

/** The headings of the current section; from 1280 px. */
export const OnThisPage = ({ section }: { section: Section | undefined }) => {
  const headings = headingsOf(section)
  const ids = [section?.id ?? '', ...headings.map(({ id }) => id)]
  const current = useCurrentSection(ids)
  return (
    <nav
      aria-label={page.sidebar.onThisPage}
      className="sticky top-0 hidden w-52 shrink-0 self-start py-8 ps-6 xl:block print:hidden!"
    >
      <p className="mb-1 font-semibold text-small">{page.sidebar.onThisPage}</p>
      <ul>
        {[{ id: section?.id ?? '', heading: section?.name ?? '' }, ...headings].map(({ id, heading }, index) => (
          <li key={id} className={index > 0 ? 'ps-3' : undefined}>
            <Link
              to={`#${id}`}
              preventScrollReset
              aria-current={current === id ? 'location' : undefined}
              className={classes(
                'block py-1 text-small underline-offset-4 hover:underline',
                current === id ? 'font-semibold' : 'text-muted hover:text-ink',
              )}
            >
              {heading}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
