import { LogError, leafHash, parseProof, verifyCheckpoint, verifyProof } from '@countersign/sdk/log'
import { parseEntry } from '@countersign/sdk/log/entries'
import type { Call } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import type { Paint } from '../../render/output.ts'
import { shellWord } from '../../render/shell-word.ts'
import { checkEvidence, parseEvidence } from './evidence.ts'
import { asFailure, cosignedAt, witnessWords } from './log-checkpoint.ts'
import { chooseLog } from './log-policy.ts'

/** `countersign log verify` */
export const verifyLogFile = async (context: Context, { args, flags }: Call) => {
  const [file = ''] = args
  const text = Buffer.from(await context.files.read(file)).toString('utf8')
  const { policy, isPinned } = await chooseLog(context, flags)
  const withKey = isPinned ? 'your policy' : 'the key that the registry shows; pin one with --policy'
  const print = (value: object, says: readonly string[], dye: keyof Paint & ('green' | 'yellow' | 'red')) => {
    const text = (paint: Paint) => [paint[dye](says[0] ?? ''), ...says.slice(1), `Checked with ${withKey}.`].join('\n')
    context.out.print({ value: { ...value, is_pinned: isPinned }, ids: [], text })
  }
  const evidence = parseEvidence(text)
  if (!evidence && text.startsWith('{'))
    throw usage(
      `${file} is not a proof, a checkpoint or evidence`,
      `For a file from verify --save, run: countersign log audit ${shellWord(file)}`,
    )
  try {
    if (evidence) {
      const { isProof, says } = await checkEvidence(evidence, policy)
      print({ kind: evidence.kind, is_proof: isProof, says }, [says], isProof ? 'red' : 'yellow')
      return isProof ? 0 : 9
    }
    const proof = text.startsWith('c2sp.org/tlog-proof') ? parseProof(text) : undefined
    const entry = proof ? parseEntry(proof.extra ?? new Uint8Array()) : null
    const found = proof
      ? await verifyProof(proof, leafHash(proof.extra ?? new Uint8Array()), policy)
      : await verifyCheckpoint(text, policy)
    const witnesses = cosignedAt(found.cosigned)
    const isWitnessed = found.isWitnessed && policy.quorum !== 'none'
    const value = {
      kind: proof ? 'proof' : 'checkpoint',
      origin: found.origin,
      size: found.size,
      index: proof?.index ?? null,
      entry,
      witnesses,
      is_witnessed: isWitnessed,
    }
    const what = proof
      ? `Entry ${proof.index} is in the log ${found.origin}`
      : `The log ${found.origin} signed this checkpoint`
    const seen = isWitnessed
      ? `${what}, and enough witnesses have seen it.`
      : `${what}, but nothing shows that others have seen it.`
    print(
      value,
      [seen, ...(entry ? [JSON.stringify(entry)] : []), `Witnesses: ${witnessWords(witnesses, isPinned)}`],
      isWitnessed ? 'green' : 'yellow',
    )
    return found.isWitnessed ? 0 : 9
  } catch (error) {
    throw error instanceof LogError ? asFailure(error) : error
  }
}
