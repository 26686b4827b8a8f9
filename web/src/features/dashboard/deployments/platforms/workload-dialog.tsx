import type { NewWorkload } from '@countersign/sdk/contract'
import { Plus } from 'lucide-react'
import { workloadsSection } from '#messages/dashboard/workloads.ts'
import { SelectField, TextField } from '../../../../forms/field.tsx'
import { FormEnd } from '../../../../forms/form-end.tsx'
import { PairFields } from '../../../../forms/pair-fields.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import {
  emptyWorkloadForm,
  isIssuerFixed,
  orderOf,
  platforms,
  presets,
  readWorkloadForm,
  type WorkloadForm,
} from './workload-rules.ts'

const words = workloadsSection.form

interface WorkloadDialogProps {
  /** The deployment that the identity will stand for; empty for a new one. */
  deployment: string
  /** The registry's address, which tokens are for by default. */
  audience: string
  trust: (input: NewWorkload) => Promise<void>
  onClose: () => void
}

/** Trusts an identity of a platform. */
export const WorkloadDialog = ({ deployment, audience, trust, onClose }: WorkloadDialogProps) => {
  const { values, change, problems, form, field, end } = useDraftForm<WorkloadForm, NewWorkload>({
    draft: `workload ${deployment}`,
    start: emptyWorkloadForm(deployment),
    read: readWorkloadForm,
    order: orderOf,
    send: trust,
    done: words.done,
    onDone: onClose,
  })
  const { platform, suggested, claims } = values
  const isFixed = isIssuerFixed(platform)
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.description}>
      <form {...form}>
        <SelectField
          label={words.platform}
          value={platform}
          onChange={({ target }) =>
            change({ platform: platforms.find((each) => each === target.value) ?? values.platform })
          }
        >
          {platforms.map((each) => (
            <option key={each} value={each}>
              {words.platforms[each]}
            </option>
          ))}
        </SelectField>
        {!isFixed && (
          <TextField {...field('issuer')} label={words.issuer} hint={words.issuerHints[platform]} type="url" />
        )}
        <TextField {...field('subject')} label={words.subject} hint={words.subjectHints[platform]} />
        {presets[platform].claims.map((name) => (
          <TextField
            key={name}
            label={name}
            hint={words.claimHints[name]}
            isOptional
            autoComplete="off"
            spellCheck={false}
            value={suggested[name] ?? ''}
            onChange={({ target }) => change({ suggested: { ...suggested, [name]: target.value } })}
          />
        ))}
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 font-semibold text-small">{words.claims.legend}</legend>
          <p className="text-muted text-small">{words.claims.hint}</p>
          <PairFields
            words={words.claims}
            rows={claims}
            problem={problems.claims ?? ''}
            change={(next) => change({ claims: next })}
          />
          <Button
            className="justify-self-start"
            onClick={() => change({ claims: [...claims, { name: '', value: '' }] })}
          >
            <Plus aria-hidden size={16} />
            {words.claims.add}
          </Button>
        </fieldset>
        {!isFixed && (
          <TextField {...field('audience')} label={words.audience} hint={words.audienceHint(audience)} isOptional />
        )}
        <TextField {...field('deployment_id')} label={words.deployment} hint={words.deploymentHint} isOptional />
        <FormEnd words={words} {...end} />
      </form>
    </Dialog>
  )
}
