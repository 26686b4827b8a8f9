import { zodResolver } from '@hookform/resolvers/zod'
import { type FormEvent, useRef } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, type RegisterOptions, type Resolver, useForm } from 'react-hook-form'
import { readFieldErrors } from '../failures/failure.ts'

/** A schema of the contract, whose words for what is wrong are shown at the fields. */
interface Schema<Input> {
  _zod: { input: Input; output: unknown }
}

interface Options<Input extends FieldValues> {
  defaults: DefaultValues<Input>
  /** Gets what was typed, once it fits the schema. It answers its own failures. */
  send: (values: Input) => Promise<unknown>
}

/**
 * A form that takes its rules from the contract. It is judged when it is sent, and from then on at every change; the first
 * bad field gets the focus, and what was typed stays whatever happens.
 */
export const useContractForm = <Input extends FieldValues>(schema: Schema<Input>, { defaults, send }: Options<Input>) => {
  // The registry cleans what it gets by itself: it is sent as it was typed.
  const resolver = zodResolver(schema, undefined, { raw: true }) as unknown as Resolver<Input>
  const form = useForm<Input>({ resolver, defaultValues: defaults })
  const isUnderWay = useRef(false)
  const { errors, isSubmitting } = form.formState

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isUnderWay.current) return
    isUnderWay.current = true
    await form
      .handleSubmit(send)()
      .finally(() => {
        isUnderWay.current = false
      })
  }

  /** What ties a control to its field. */
  const field = (name: FieldPath<Input>, options?: RegisterOptions<Input>) => {
    const problem = errors[name]?.message
    return { ...form.register(name, options), problem: typeof problem === 'string' ? problem : undefined }
  }

  /** Shows at its fields what the registry refused of them. False: it was something else. */
  const showRefused = (failure: unknown): boolean => {
    const names = Object.keys(form.getValues())
    const refused = Object.entries(readFieldErrors(failure)).filter(([name]) => names.includes(name))
    for (const [index, [name, message]] of refused.entries())
      form.setError(name as FieldPath<Input>, { type: 'refused', message }, { shouldFocus: index === 0 })
    return refused.length > 0
  }

  /** Says what is wrong with a field, and goes there. */
  const complain = (name: FieldPath<Input>, message: string) => form.setError(name, { type: 'refused', message }, { shouldFocus: true })

  return { submit, field, showRefused, complain, isSending: isSubmitting, watch: form.watch, set: form.setValue, reset: form.reset }
}
