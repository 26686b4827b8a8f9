import { readVerdict } from '@countersign/sdk/verify'
import { shapeOf } from '@countersign/sdk/words'
import {
  isSampleName,
  type SampleName,
  sampleAnswers,
  sampleIssuer,
  samples,
  sampleTime,
  sampleWords,
} from '@countersign/sdk/words/samples'
import { heading, paragraph, shape, verdictMarkup } from './link-summary.ts'
import { escapeMarkup } from './markup.ts'

const words = sampleWords

const list = (without?: SampleName) => {
  const rows = samples
    .filter(({ name }) => name !== without)
    .map(
      ({ name, state, tone, band, text }) =>
        `<li class="outcome sample-row" data-tone="${tone}">${shape(shapeOf(state))}<a class="link" href="/sample/${name}">${escapeMarkup(band)}</a><span>${escapeMarkup(text)}</span></li>`,
    )
  return `<ul class="sample-list">\n${rows.join('\n')}\n</ul>`
}

/** A sample before its scripts have run, and for visitors without scripts. */
const sampleSummary = (name: SampleName): string => {
  const answer = sampleAnswers[name]
  const verdict = readVerdict('record' in answer ? answer.record : answer.refusal, {
    issuer: sampleIssuer,
    at: sampleTime,
  })
  return [
    `<div class="sample-band"><p><strong>${escapeMarkup(words.label)}</strong> ${escapeMarkup(words.made)}</p><a href="/sample">${escapeMarkup(words.all)}</a></div>`,
    verdictMarkup(verdict, sampleIssuer, words.label),
    heading(words.others),
    list(name),
  ].join('\n')
}

/** The list of samples, in the same way. */
const sampleIndex = (): string =>
  [
    `<h1>${escapeMarkup(words.heading)}</h1>`,
    paragraph(words.intro),
    list(),
    `<p><a class="link" href="/v">${escapeMarkup(words.check)}</a></p>`,
  ].join('\n')

/** A sample, or without a name the list of them. */
export const samplesPage = (name: string | undefined): string =>
  name !== undefined && isSampleName(name) ? sampleSummary(name) : sampleIndex()
