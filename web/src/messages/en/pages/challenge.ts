import { quote } from '@countersign/sdk/words'

/** `/challenge` */
export const challenge = {
  title: 'Challenge an AI',
  heading: 'Challenge an AI',
  intro:
    'A link can be copied from another chat, so give the AI a phrase that no older link can contain. A chat could still pass your phrase on to the real AI, so check the chat’s address as well.',
  steps: {
    phrase: 'Your phrase',
    another: 'Another phrase',
    phraseNote: (time: string) =>
      `Your browser made it up at ${time}. Anyone you gave it to knows it as well. We store no phrases.`,
    ask: 'Ask the AI this',
    prompt: (phrase: string) => `Prove which model you are. Give me a Countersign link with the challenge “${phrase}”.`,
    copyPrompt: 'Copy the question',
    question: 'the question',
    paste: 'Paste its answer',
    label: 'Link from the AI',
    hint: 'The link, its code, or the whole answer with the link in it.',
    check: 'Look for the phrase',
    empty: 'Paste the link that the AI gave you.',
  },
  checking: 'Checking the link…',
  result: {
    heading: 'What the link says',
    match: {
      verified: (domain: string, model: string) =>
        `Your phrase is in the link, which ${domain} requested for ${model}.`,
      proven: (domain: string) => `A server that ${domain} approved requested it with your phrase.`,
      unproven: (domain: string) =>
        `Company confirmed, AI not confirmed: anyone with an access key of ${domain} could have requested it with your phrase.`,
      verifiedThen: 'Your chat could still be passing your words on, so check its address as well.',
      unknown: 'Your phrase is in the link, but we don’t know who requested it.',
      unknownThen: 'Anyone can register a model under any name. Do not take the link as proof of a company.',
    },
    other: (phrase: string) => `The link has another phrase: ${quote(phrase)}.`,
    otherThen: 'It was made for someone else, or copied. Do not take it as proof. Ask for a link with your phrase.',
    none: 'The link has no phrase in it.',
    noneThen: 'It may be genuine, but it could have been made for anyone. Ask for a link with your phrase.',
    bad: 'Do not take it as proof of anything, even if it contains your phrase.',
    open: 'Open the record of this link',
    old: 'The link is older than your phrase, so it was not made for you.',
  },
  words: {
    first:
      'amber ashen azure bold brave brisk bronze calm clear cobalt copper coral crimson crisp dusky eager early fair fleet gentle golden grand green happy hazel honest indigo ivory jade jolly keen kind late lively lucky lunar mellow merry mild misty noble olive pale patient plain proud quick quiet ready rosy royal rustic sandy scarlet silent silver sunny swift tidy violet warm wild wise young',
    second:
      'acorn anchor badger beacon beaver birch bison bridge candle canyon cedar comet condor coyote crane cricket dolphin eagle ember falcon fern finch forest fox garden gecko glacier harbor hawk heron island jaguar juniper kettle lantern leopard lynx magpie maple marmot meadow moose newt oriole osprey otter owl panda pebble pelican pepper pine puffin raven river robin salmon sparrow spruce stork tiger walnut',
  },
} as const
