import { Link } from 'react-router-dom'
import { classes } from '../../../ui/classes.ts'
import { groups } from '../sections.ts'

/** All sections by group, with the current one marked. */
export const ContentsList = ({ current, onChoose }: { current: string | undefined; onChoose?: () => void }) =>
  groups.map(({ name, sections }) => (
    <div key={name} className="mb-5">
      <p className="mb-1 font-semibold text-small">{name}</p>
      <ul className="border-line border-s">
        {sections.map((section) => (
          <li key={section.id}>
            <Link
              to={`#${section.id}`}
              preventScrollReset
              aria-current={current === section.id ? 'location' : undefined}
              onClick={onChoose}
              className={classes(
                '-ms-px block border-s-2 py-1.5 ps-3 text-small underline-offset-4 hover:underline',
                current === section.id ? 'border-ink font-semibold' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {section.name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
