const statusNames: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

const statusLine = (status: number) => [status, statusNames[status]].filter(Boolean).join(' ')

/** Messages by status for failed requests without a message from the registry, such as those a proxy answered. */
export const failures = {
  provider: (status: number) => `Failed to fetch provider data (${status})`,
  currentProvider: (status: number) => `Failed to fetch current provider (${status})`,
  models: (status: number) => `Failed to fetch provider models (${status})`,
  history: (status: number) => `Failed to fetch model history (${status})`,
  modelVisibility: (status: number) => visibility('Failed to update model visibility', status),
  providerVisibility: (status: number) => visibility('Failed to update provider visibility', status),
  report: (status: number) => `Failed to report incident (${status})`,
  deployment: statusLine,
  model: (status: number) =>
    statusNames[status] === undefined ? 'Failed to register model' : `Server error (${status}): ${statusNames[status]}`,
} as const

const visibility = (what: string, status: number) =>
  status === 400 || status === 422 ? 'Invalid visibility settings' : `${what} (${status})`
