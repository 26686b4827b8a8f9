import type { PublisherKind } from '@countersign/sdk/contract'
import { quoteExactly, quoteIssuer } from '@countersign/sdk/words'

/** Why a job was rejected, by the claim that did not match. */
const claims: Readonly<Record<string, string>> = {
  event_name: 'by an event that may not publish, such as a pull request',
  pipeline_source: 'by a pipeline that may not publish, such as one of a merge request',
  ref: 'from a ref that is not a branch or tag of the repository',
  job_workflow_ref: 'by another workflow',
  ci_config_ref_uri: 'by another pipeline file',
  environment: 'outside the environment',
  repository_id: 'by a different repository with the same name',
  repository_owner_id: 'by a repository of a different owner with the same name',
  project_id: 'by a different project with the same name',
  namespace_id: 'by a project of a different namespace with the same name',
}

/** The Trusted publishers section of the settings. */
export const publishersSection = {
  label: 'Trusted publishers',
  about:
    'A trusted publisher is a workflow whose jobs can register models and versions and upload bundles without a stored key. Each job proves its identity to the registry and gets a 15-minute token that can do nothing else.',
  add: 'Add a publisher',
  failed: 'Your trusted publishers could not be loaded',
  none: {
    heading: 'No trusted workflow yet',
    text: 'Add the workflow that releases your models. It then needs no stored API key that could be stolen.',
  },
  list: 'Trusted publishers',
  kinds: { github: 'GitHub Actions', gitlab: 'GitLab CI/CD', other: 'Another issuer' } satisfies Record<
    PublisherKind,
    string
  >,
  /** What is trusted, in one line. */
  line: {
    workflow: (workflow: string, repository: string) => `${quoteExactly(workflow)} of ${quoteExactly(repository)}`,
    subject: (subject: string) => `subject ${quoteExactly(subject)}`,
  },
  issuedBy: (issuer: string) => `vouched for by ${quoteIssuer(issuer)}`,
  environment: (name: string) => `Environment ${quoteExactly(name)}`,
  anyEnvironment: 'Any environment',
  fixed: (id: string) => `Repository number ${id}`,
  notFixed: 'The repository’s number is fixed at first use',
  added: (day: string) => `Added ${day}`,
  used: (time: string) => `Last used ${time}`,
  neverUsed: 'Never used',
  notAccepted: 'The registry no longer accepts this issuer, so its jobs cannot publish.',
  refused: (claim: string, time: string) =>
    `Last rejected ${time}: tried ${claims[claim] ?? `with a different ${claim}`}`,
  snippet: {
    show: 'Show the workflow',
    of: (line: string) => `Show the workflow of ${line}`,
    text: 'The job needs these steps:',
    what: 'the workflow',
  },
  remove: {
    button: 'Remove',
    of: (line: string) => `Remove ${line}`,
    title: 'Remove this publisher?',
    text: (line: string) =>
      `${line}. Its jobs get no new tokens, and existing tokens stop working at once. You can add it again.`,
    action: 'Remove publisher',
    doing: 'Removing…',
    done: 'Publisher removed',
  },
  form: {
    title: 'Add a trusted publisher',
    description: 'Anyone who can change this workflow or its environment can then publish in your name.',
    kind: 'Platform',
    issuer: 'Issuer',
    issuerHint: 'The service that issues tokens to its jobs.',
    repository: { github: 'Repository', gitlab: 'Project' },
    repositoryHint: {
      github: 'Owner and repository, such as acme/models',
      gitlab: 'Group and project, such as acme/models',
    },
    workflow: { github: 'Workflow file', gitlab: 'Pipeline file' },
    workflowHint: {
      github: 'The name of the file in .github/workflows, such as release.yml',
      gitlab: 'Its path in the repository, such as .gitlab-ci.yml',
    },
    environment: 'Environment',
    environmentHint:
      'Only jobs in this environment may publish. Configure there who must approve them, and for which branches or tags.',
    repository_id: 'Repository number',
    repository_idHint: 'The repository’s permanent number. If empty, it is fixed at first use.',
    subject: 'Subject',
    subjectHint: 'The exact sub claim of its tokens.',
    submit: 'Add publisher',
    submitting: 'Adding…',
    done: 'Publisher added',
    failed: 'Failed to add the publisher',
  },
}
