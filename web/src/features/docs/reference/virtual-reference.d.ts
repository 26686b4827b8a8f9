declare module 'virtual:reference' {
  export const reference: import('./reference.ts').Reference
}

declare module 'virtual:endpoint-details' {
  /** By endpoint name. */
  export const endpointDetails: Readonly<Record<string, import('./reference.ts').EndpointDetails>>
}
