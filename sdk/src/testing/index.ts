export type { MockAnswer, MockRequest, RowName } from './mock-door.ts'
export type { MockModel, MockProvider } from './mock-links.ts'
export { createMockRegistry, type MockRegistry, type MockRegistryOptions } from './mock-registry.ts'
export { createTestKey, issueTestToken, type TestKey, type TestToken, type TestTokenOptions } from './test-token.ts'
export {
  type ExpectedVerdict,
  type LinkCodeVectors,
  type TokenVectors,
  type VerdictVectors,
  vectors,
} from './vectors.ts'
