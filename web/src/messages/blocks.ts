/**
 * What a section of the documentation is made of. In texts, `code` stands between backticks, **strong** between two stars, and a
 * link is [words](#anchor) or [words](/path). `https://registry.example` is shown as the address of this registry.
 */
export type Block =
  | string
  | { heading: string; id: string }
  | { list: readonly string[] }
  | { steps: readonly string[] }
  | { note: string }
  | { heads: readonly string[]; rows: readonly (readonly string[])[] }
  /** A file of `docs/samples` without its ending, in every language that it has. */
  | { sample: string; caption: string }
  /** Rows of the contract, as the client calls them. */
  | { endpoints: readonly string[] }
  | { computed: 'errors' | 'exit-codes' | 'trust-components' | 'trust-levels' | 'index' }

export interface DocsSection {
  /** In the sidebar. */
  name: string
  /** Where the heading says more. */
  heading?: string
  blocks: readonly Block[]
}
