export { askedBy } from './asked-by.ts'
export { quoteFile } from './file-quotation.ts'
export {
  type CheckCounts,
  type CheckRow,
  checkName,
  checkRowsOf,
  countChecks,
  endedAtOf,
  type FailureState,
  failureHeading,
  failureSentences,
  headingOf,
  isShown,
  type LinkState,
  type LinkTone,
  limitsOf,
  linkStateOf,
  linkTones,
  modelTitle,
  notesOf,
  requesterOf,
  requestSentence,
  type ShownState,
  sealOf,
  shapeOf,
  stepText,
} from './link-screen.ts'
export { linkWords, plainLinkWords } from './link-words.ts'
export { quote, quoteExactly, quoteIssuer } from './quotation.ts'
export { type ShapeName, shapes } from './shapes.ts'
export { stagedValues } from './staged-values.ts'
