import { sampleWords } from '@countersign/sdk/words/samples'
import { Link } from 'react-router-dom'

/** Above every sample, in sight while scrolling and in print. The page of a link has nothing like it. */
export const SampleBand = () => (
  <div className="sample-band">
    <p>
      <strong>{sampleWords.label}</strong> {sampleWords.made}
    </p>
    <Link to="/sample">{sampleWords.all}</Link>
  </div>
)
