import type { Model } from '@countersign/sdk/contract'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { modelsTab } from '#messages/dashboard/models.ts'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { BundleChecks } from '../../../models/bundle/bundle-checks.tsx'
import { BundleFacts } from '../../../models/bundle/bundle-facts.tsx'
import { useBundle } from '../../../models/bundle/use-bundle.ts'
import { Allowed } from '../../shared/allowed.tsx'
import { declareAddressOf } from '../../shared/tab-names.ts'
import { nameOf } from '../names.ts'
import { noteOwnModel } from '../own-models.ts'
import { BundleUpload } from './bundle-upload.tsx'

const words = modelsTab.bundle

/** The result for a version's signed bundle, its signer, and the upload of a new one. */
export const BundleDialog = ({ model, onClose }: { model: Model; onClose: () => void }) => {
  const known = useBundle(model.id)
  const { bundle } = known
  useEffect(() => {
    if (bundle === undefined) return
    const { bundle_status, bundle_last_checked, bundle_verification_details, signer } = bundle
    if (bundle_status === model.bundle_status && bundle_last_checked === model.bundle_last_checked) return
    void noteOwnModel(model.id, {
      bundle_status,
      bundle_last_checked,
      bundle_verification_details,
      bundle_signer: signer,
    })
  }, [bundle, model])
  return (
    <Dialog isOpen onClose={onClose} title={words.title(nameOf(model))}>
      <BundleFacts model={model} bundle={known} />
      {bundle?.reason === 'signer_not_declared' && (
        <div className="mt-4 border-warn border-s-4 py-1 ps-4 text-small">
          <p>{words.declareText}</p>
          <Allowed action="signers.declare" isExplained>
            <Link to={declareAddressOf(model.id)} className="link mt-1 inline-flex min-h-6 items-center">
              {words.declare}
            </Link>
          </Allowed>
        </div>
      )}
      <Allowed action="bundles.upload" isExplained>
        <BundleUpload modelId={model.id} onUploaded={known.again} />
      </Allowed>
      <BundleChecks bundle={known} />
    </Dialog>
  )
}
