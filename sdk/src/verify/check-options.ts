import { refuseUnknown } from './refuse-unknown.ts'

/** Every option of a call: true, or what to pass if the option is required. */
export type OptionForms<Options> = Readonly<Record<keyof Options, string | true>>

/** Throws TypeError for an unknown option, and for the first that is missing, with what to pass. */
export const checkOptions = <Options extends object>(call: string, given: Options, forms: OptionForms<Options>) => {
  refuseUnknown(call, 'option', given, forms)
  for (const name in forms)
    if (forms[name] !== true && given[name] === undefined)
      throw new TypeError(`${call}: "${name}" is missing: pass ${forms[name]}`)
}
