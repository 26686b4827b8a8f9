import type { capabilities } from './model-fields.ts'

const name = /[A-Za-z0-9](?:[\w.-]{0,94}\w)?/.source
const hubId = new RegExp(`^${name}(?:/${name})?$`)

/** Whether a text can be the ID of a model on the hub, such as `acme/atlas`. */
export const isHubId = (id: string): boolean => hubId.test(id) && !/\.\.|--/.test(id)

type Capability = (typeof capabilities)[number]

/** The registry's capabilities for each task of the model hub. */
const tasks: Readonly<Record<string, readonly Capability[]>> = {
  'text-generation': ['text-generation'],
  'text2text-generation': ['text-generation'],
  conversational: ['conversation'],
  'question-answering': ['question-answering'],
  'table-question-answering': ['question-answering'],
  'document-question-answering': ['question-answering', 'image-understanding'],
  'visual-question-answering': ['question-answering', 'image-understanding'],
  summarization: ['summarization'],
  translation: ['translation'],
  'text-classification': ['classification'],
  'token-classification': ['classification'],
  'zero-shot-classification': ['classification'],
  'feature-extraction': ['embeddings'],
  'sentence-similarity': ['embeddings'],
  'text-ranking': ['embeddings'],
  'text-to-image': ['image-generation'],
  'image-to-image': ['image-generation'],
  'unconditional-image-generation': ['image-generation'],
  'image-to-text': ['image-understanding'],
  'image-text-to-text': ['text-generation', 'image-understanding'],
  'image-classification': ['image-understanding', 'classification'],
  'object-detection': ['image-understanding'],
  'image-segmentation': ['image-understanding'],
  'image-feature-extraction': ['embeddings', 'image-understanding'],
  'automatic-speech-recognition': ['audio-processing'],
  'audio-classification': ['audio-processing', 'classification'],
  'text-to-speech': ['audio-processing'],
  'text-to-audio': ['audio-processing'],
  'audio-to-audio': ['audio-processing'],
  'audio-text-to-text': ['text-generation', 'audio-processing'],
  'video-classification': ['video-processing', 'classification'],
  'video-text-to-text': ['text-generation', 'video-processing'],
  'text-to-video': ['video-processing'],
}

const maxLanguageText = 120

/** `en` becomes English; other words stay, without control characters. */
const languageName = (languageNames: Intl.DisplayNames, code: string): string => {
  const word = code.replace(/[^\p{L}\p{N} ()-]/gu, '').slice(0, 40)
  try {
    return languageNames.of(word) ?? word
  } catch {
    return word
  }
}

/** As many names as fit, and how many more there are. */
export const languageText = (codes: readonly string[]): string | undefined => {
  const known = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' })
  const names = [...new Set(codes.map((code) => languageName(known, code)).filter((word) => word !== ''))]
  const text = names.join(', ')
  if (text.length <= maxLanguageText) return text === '' ? undefined : text
  const textOf = (count: number) => `${names.slice(0, count).join(', ')} and ${names.length - count} more`
  let count = names.length - 1
  while (count > 1 && textOf(count).length > maxLanguageText) count--
  return textOf(count)
}

/** The first paper that the hub found in the card. */
export const paperUrl = (tags: readonly string[]): string | undefined => {
  const [, id] = tags.map((tag) => /^arxiv:(\d{4}\.\d{4,5})$/.exec(tag)).find((match) => match !== null) ?? []
  return id === undefined ? undefined : `https://arxiv.org/abs/${id}`
}

/** The capabilities of a model with this task on the hub. */
export const capabilitiesOfTask = (task: string | null): readonly Capability[] | undefined => tasks[task ?? '']
