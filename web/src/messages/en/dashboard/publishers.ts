import type { PublisherKind } from '@countersign/sdk/contract'

/** What a claim that did not fit is called where an owner reads it. */
const claims: Readonly<Record<string, string>> = {
  event_name: 'by an event that may not publish, such as a pull request',
  pipeline_source: 'by a pipeline that may not publish, such as one of a merge request',
  ref: 'from a ref that is no branch or tag of the repository',
  job_workflow_ref: 'by another workflow',
  ci_config_ref_uri: 'by another pipeline file',
  environment: 'outside the environment',
  repository_id: 'by another repository of the same name',
  repository_owner_id: 'by a repository of another owner of the same name',
  project_id: 'by another project of the same name',
  namespace_id: 'by a project of another namespace of the same name',
}

/** Words of the settings’ section of trusted publishers. */
export const publishersSection = {
  label: 'Trusted publishers',
  about:
    'A trusted publisher is a workflow whose jobs register models and versions and give bundles without a stored key. Each job proves to the registry who it is and gets a token for 15 minutes that can do nothing else.',
  add: 'Add a publisher',
  failed: 'Your trusted publishers could not be loaded',
  none: {
    heading: 'No workflow is trusted yet',
    text: 'Add the workflow that releases your models. Then no API key has to be kept where it runs, and none can be stolen there.',
  },
  list: 'Trusted publishers',
  kinds: { github: 'GitHub Actions', gitlab: 'GitLab CI/CD', other: 'Another issuer' } satisfies Record<PublisherKind, string>,
  /** What is trusted, in one line. */
  line: {
    workflow: (workflow: string, repository: string) => `${workflow} of ${repository}`,
    subject: (subject: string) => `whoever is ${subject}`,
  },
  issuedBy: (issuer: string) => `vouched for by ${issuer}`,
  environment: (name: string) => `Environment ${name}`,
  anyEnvironment: 'Any environment',
  fixed: (id: string) => `Repository number ${id}`,
  notFixed: 'The first use fixes the repository’s number',
  added: (day: string) => `Added ${day}`,
  used: (time: string) => `Last used ${time}`,
  neverUsed: 'Never used',
  refused: (claim: string, time: string) => `Last turned away ${time}: tried ${claims[claim] ?? `with another ${claim}`}`,
  snippet: {
    show: 'Show the workflow',
    of: (line: string) => `Show the workflow of ${line}`,
    text: 'What the job has to do:',
    what: 'the workflow',
  },
  remove: {
    button: 'Remove',
    of: (line: string) => `Remove ${line}`,
    title: 'Trust this publisher no longer?',
    text: (line: string) =>
      `${line}. Its jobs get no more tokens, and those that they have stop at their next request. You may add it again.`,
    action: 'Remove publisher',
    doing: 'Removing…',
    done: 'Publisher removed',
  },
  form: {
    title: 'Add a trusted publisher',
    description: 'Whoever may change this workflow, or its environment, may then publish in your name.',
    kind: 'Where it runs',
    issuer: 'Issuer',
    issuerHint: 'Who vouches for its jobs.',
    repository: { github: 'Repository', gitlab: 'Project' },
    repositoryHint: { github: 'Owner and repository, such as acme/models', gitlab: 'Group and project, such as acme/models' },
    workflow: { github: 'Workflow file', gitlab: 'Pipeline file' },
    workflowHint: {
      github: 'The name of the file in .github/workflows, such as release.yml',
      gitlab: 'Its path in the repository, such as .gitlab-ci.yml',
    },
    environment: 'Environment',
    environmentHint: 'Only jobs in this environment may publish. Say there who has to approve them, and for which branches or tags.',
    repository_id: 'Repository number',
    repository_idHint: 'The number that never changes. Without it, the first use fixes it.',
    subject: 'Subject',
    subjectHint: 'The sub of its tokens, exactly.',
    submit: 'Add publisher',
    submitting: 'Adding…',
    done: 'Publisher added',
    failed: 'Failed to add the publisher',
  },
}
