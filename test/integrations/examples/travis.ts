import type { Example } from '../example.ts'

const build = (status_message: string, more: object = {}) => ({
  id: 1,
  number: '17',
  config: { language: 'c' },
  type: 'push',
  state: 'passed',
  status: 0,
  result: 0,
  status_message,
  result_message: status_message,
  started_at: '2026-11-02T10:40:00Z',
  finished_at: '2026-11-02T10:42:00Z',
  duration: 120,
  build_url: 'https://app.travis-ci.com/acme/engine/builds/1',
  commit_id: 2,
  commit: '62aae5f70ceee39123ef',
  base_commit: null,
  head_commit: null,
  branch: 'main',
  message: 'Count the turns\n\nAnd why.',
  compare_url: 'https://github.com/acme/engine/compare/main...62aa',
  committed_at: '2026-11-02T10:39:00Z',
  author_name: 'Ada Lovelace',
  author_email: 'ada@example.com',
  committer_name: 'Ada Lovelace',
  pull_request: false,
  pull_request_number: null,
  pull_request_title: null,
  tag: null,
  repository: { id: 3, name: 'engine', owner_name: 'acme', url: null },
  matrix: [],
  ...more,
})
const form = (body: object) => ({ payload: JSON.stringify(body) })

export const TRAVIS_EXAMPLES: readonly Example[] = [
  {
    what: 'a build that passes',
    form: form(build('Passed')),
    messages: [
      {
        topic: 'engine / main',
        text: ':check: [Build #17](https://app.travis-ci.com/acme/engine/builds/1) passed for `Count the turns` ([62aae5f](https://github.com/acme/engine/compare/main...62aa)) by Ada Lovelace.',
      },
    ],
  },
  {
    what: 'a build that fails',
    isShown: true,
    body: build('Broken'),
    messages: [
      {
        topic: 'engine / main',
        text: ':cross_mark: [Build #17](https://app.travis-ci.com/acme/engine/builds/1) is broken for `Count the turns` ([62aae5f](https://github.com/acme/engine/compare/main...62aa)) by Ada Lovelace.',
      },
    ],
  },
  {
    what: 'a build of a pull request',
    body: build('Still Failing', {
      type: 'pull_request',
      pull_request: true,
      pull_request_number: 5,
      pull_request_title: 'Count [x]',
      compare_url: 'https://github.com/acme/engine/pull/5',
    }),
    messages: [
      {
        topic: 'engine / main',
        text: ':cross_mark: [Build #17](https://app.travis-ci.com/acme/engine/builds/1) is still failing for PR [#5 Count &#91;x&#93;](https://github.com/acme/engine/pull/5) for `Count the turns` ([62aae5f](https://github.com/acme/engine/pull/5)) by Ada Lovelace.',
      },
    ],
  },
  {
    what: 'a build of a branch that nobody wants to hear of',
    body: build('Passed'),
    address: { branches: 'next' },
    messages: [],
  },
  {
    what: 'a build without most of its values',
    body: { type: 'cron', status_message: 7, message: [], repository: null },
    messages: [{ topic: 'Travis CI', text: 'Build has changed.' }],
  },
  { what: 'another kind of build', body: build('Passed', { type: 'dream' }), unsupported: 'dream' },
]
