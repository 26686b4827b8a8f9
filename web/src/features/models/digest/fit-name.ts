import { nameProblem } from '@countersign/sdk/contract'

/**
 * Words without spaces. A dot is followed by a digit or, at the end, by an ending of model files that is not one of domains, as `.md`, `.pt`
 * and `.py` are.
 */
const plainName =
  /^(?:[\w/-]|\.(?=\d))+(?:\.(?:bin|ckpt|gguf|h5|index|json|jsonl|keras|model|msgpack|npy|npz|onnx|pb|pth|safetensors|tflite|tiktoken|txt|yaml|yml))*$/i

/** Also inside longer words, such as `lverifiedl`. */
const judgement = /verif|certif|confirm|official/i

/** Whether the page may show a file's name, which its provider chose, beside a verdict: plain, and without a word of judgement. */
export const isFitBesideVerdict = (name: string): boolean =>
  plainName.test(name) && !judgement.test(name) && nameProblem(name.replace(/[_/]+/g, ' ').trim()) === undefined
