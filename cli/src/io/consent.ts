import type { Flags } from '../args/command.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'

/** For what cannot be undone by itself: `--yes`, or a person who is asked. Where nobody can be asked, it is refused. */
export const consent = async (
  context: Pick<Context, 'isInteractive' | 'confirm'>,
  flags: Flags,
  { question, refusal, hint }: { question: string; refusal: string; hint?: string },
) => {
  if (flags.isOn('yes')) return
  if (!context.isInteractive) throw usage(`${refusal} needs --yes where nobody can be asked`, hint)
  await context.confirm(question)
}
