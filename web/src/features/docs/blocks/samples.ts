const files = import.meta.glob<string>('../../../../../docs/samples/*.{sh,ts,html}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

export const sampleLanguages = ['curl', 'cli', 'ts', 'html'] as const
export type SampleLanguage = (typeof sampleLanguages)[number]

const endings = { curl: 'sh', cli: 'cli.sh', ts: 'ts', html: 'html' } as const satisfies Record<SampleLanguage, string>

/** A topic's sample in each available language. */
export const samplesOf = (topic: string) =>
  sampleLanguages.flatMap((language) => {
    const code = files[`../../../../../docs/samples/${topic}.${endings[language]}`]
    return code === undefined ? [] : [{ language, code: code.trimEnd() }]
  })
