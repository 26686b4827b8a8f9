import { shapeOf } from '@countersign/sdk/words'
import { type SampleName, samples } from '@countersign/sdk/words/samples'
import { Link } from 'react-router-dom'
import { Shape } from '../shape.tsx'

/** The samples, each with its result. */
export const SampleList = ({ without }: { without?: SampleName }) => (
  <ul className="sample-list">
    {samples
      .filter(({ name }) => name !== without)
      .map(({ name, state, tone, band, text }) => (
        <li key={name} className="outcome sample-row" data-tone={tone}>
          <Shape name={shapeOf(state)} />
          <Link to={`/sample/${name}`} className="link">
            {band}
          </Link>
          <span>{text}</span>
        </li>
      ))}
  </ul>
)
