export {
  AbortError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ChangeStaged,
  ConflictError,
  ConnectionError,
  LinkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './api-error.ts'
export type { APIPromise, PagePromise } from './api-promise.ts'
export type { CheckLinkOptions, LinkVerdict } from './check-link.ts'
export { type Countersign, createClient, createMethods, type LinkMethods } from './client.ts'
export {
  type GuardFinding,
  type GuardOptions,
  type GuardReport,
  guardOutput,
  type OnForeign,
  type OutputGuard,
} from './guard/guard-output.ts'
export type * from './methods.ts'
export type {
  ClientOptions,
  Logger,
  LogLevel,
  RequestEvent,
  RequestOptions,
  ResponseEvent,
  RetryEvent,
} from './options.ts'
export type { RawRequest, RequestAny } from './raw-request.ts'
export { redact } from './redact.ts'
export type { ModelRegistration, RegistrationOutcome } from './register-model.ts'
export {
  createLinkIssuer,
  type GetLinkOptions,
  type LinkIssuer,
  type LinkIssuerOptions,
  type VerificationLink,
} from './runtime/link-issuer.ts'
export {
  createVerificationTool,
  type ToolAnswer,
  type ToolCallContext,
  type VerificationTool,
  type VerificationToolOptions,
  verificationToolSpec,
} from './runtime/verification-tool.ts'
export type { Answer } from './transport.ts'
export type { Expectation } from './verify/expectation.ts'
export { InsecureHttpError } from './verify/insecure-http.ts'
export { version } from './version.ts'
