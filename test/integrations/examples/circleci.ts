import type { Example } from '../example.ts'

const vcs = {
  provider_name: 'github',
  origin_repository_url: 'https://github.com/acme/engine',
  target_repository_url: 'https://github.com/acme/engine',
  revision: '1dc6aa69429bff4806ad6afe58d3d8f57e25973e',
  commit: {
    subject: 'Count the turns',
    body: 'And why.',
    author: { name: 'Ada', email: 'ada@example.com' },
  },
  branch: 'main',
}
const completed = (type: string, status: string, more: object = {}) => ({
  id: `3888f21b-${type}`,
  type,
  happened_at: '2026-11-02T10:40:00.000Z',
  webhook: { id: 'cf8c4fdd-0587-4da1-b4ca-4846e9640af9', name: 'Chat' },
  project: { id: '84996744', name: 'engine', slug: 'github/acme/engine' },
  organization: { id: 'f22b6566', name: 'acme' },
  workflow: {
    id: 'fda08377',
    name: 'build',
    status,
    url: 'https://app.circleci.com/pipelines/github/acme/engine/130/workflows/fda08377',
  },
  pipeline: { id: '1285fe1d', number: 130, trigger: { type: 'webhook' }, vcs },
  ...more,
})

export const CIRCLECI_EXAMPLES: readonly Example[] = [
  {
    what: 'a workflow',
    body: completed('workflow-completed', 'success'),
    messages: [
      {
        topic: 'engine / main',
        text: ':check: Workflow [build](https://app.circleci.com/pipelines/github/acme/engine/130/workflows/fda08377) (pipeline 130) succeeded for `Count the turns` ([1dc6aa6](https://github.com/acme/engine/commit/1dc6aa69429bff4806ad6afe58d3d8f57e25973e)) by Ada.',
      },
    ],
  },
  {
    what: 'a workflow that fails',
    body: completed('workflow-completed', 'failed'),
    messages: [
      {
        topic: 'engine / main',
        text: ':cross_mark: Workflow [build](https://app.circleci.com/pipelines/github/acme/engine/130/workflows/fda08377) (pipeline 130) failed for `Count the turns` ([1dc6aa6](https://github.com/acme/engine/commit/1dc6aa69429bff4806ad6afe58d3d8f57e25973e)) by Ada.',
      },
    ],
  },
  {
    what: 'a job that somebody stops, of a tag',
    body: completed('job-completed', '', {
      job: { id: '8bd71c28', name: 'test [x]', number: 136, status: 'canceled' },
      pipeline: { number: 131, vcs: { ...vcs, branch: null, tag: 'v1.0', provider_name: 'bitbucket' } },
    }),
    messages: [
      {
        topic: 'engine / v1.0',
        text: ':prohibited: Job **test &#91;x&#93;** of workflow [build](https://app.circleci.com/pipelines/github/acme/engine/130/workflows/fda08377) (pipeline 131) was canceled for `Count the turns` ([1dc6aa6](https://github.com/acme/engine/commits/1dc6aa69429bff4806ad6afe58d3d8f57e25973e)) by Ada.',
      },
    ],
  },
  {
    what: 'a workflow of a project connected by the GitHub app',
    body: completed('workflow-completed', 'unauthorized', {
      pipeline: {
        number: 132,
        trigger_parameters: {
          git: {
            branch: 'turns',
            checkout_sha: vcs.revision,
            commit_title: '`Turn` it',
            commit_author_name: 'Grace',
            repo_url: 'https://github.com/acme/engine',
          },
        },
      },
    }),
    messages: [
      {
        topic: 'engine / turns',
        text: ':prohibited: Workflow [build](https://app.circleci.com/pipelines/github/acme/engine/130/workflows/fda08377) (pipeline 132) was not authorized for `` `Turn` it `` ([1dc6aa6](https://github.com/acme/engine/commit/1dc6aa69429bff4806ad6afe58d3d8f57e25973e)) by Grace.',
      },
    ],
  },
  {
    what: 'a workflow without a source, with another status',
    body: completed('workflow-completed', 'on_hold', { pipeline: null, project: null }),
    messages: [
      {
        topic: 'CircleCI',
        text: 'Workflow [build](https://app.circleci.com/pipelines/github/acme/engine/130/workflows/fda08377) ended as on hold.',
      },
    ],
  },
  {
    what: 'a workflow of a branch that nobody wants to hear of',
    body: completed('workflow-completed', 'success'),
    address: { branches: 'release*,next' },
    messages: [],
  },
  {
    what: 'a test',
    body: { type: 'ping', webhook: { name: 'Chat' }, project: { name: 'engine' } },
    messages: [{ topic: 'engine', text: 'CircleCI webhook has been successfully configured.' }],
  },
  { what: 'another event', body: { type: 'job-started' }, unsupported: 'job-started' },
]
