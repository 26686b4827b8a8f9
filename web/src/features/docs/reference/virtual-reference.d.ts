declare module 'virtual:reference' {
  export const reference: import('./reference.ts').Reference
}

declare module 'virtual:endpoint-details' {
  /** By the name of the endpoint. */
  export const endpointDetails: Readonly<Record<string, import('./reference.ts').EndpointDetails>>
}
