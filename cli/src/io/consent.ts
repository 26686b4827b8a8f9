import type { Flags } from '../args/command.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'

/** For irreversible actions: requires `--yes` or confirmation, and fails if no one can confirm. */
export const consent = async (
  context: Pick<Context, 'isInteractive' | 'confirm'>,
  flags: Flags,
  { question, refusal, hint }: { question: string; refusal: string; hint?: string },
) => {
  if (flags.isOn('yes')) return
  if (!context.isInteractive) throw usage(`${refusal} requires --yes when not running interactively`, hint)
  await context.confirm(question)
}
