import type { Example } from '../example.ts'

const build = (phase: string, status: string, more: object = {}) => ({
  name: 'engine',
  display_name: 'Engine » main',
  url: 'job/engine/',
  build: {
    full_url: 'https://ci.example/job/engine/17/',
    number: 17,
    queue_id: 204,
    timestamp: 1793616000000,
    duration: 65000,
    phase,
    status,
    url: 'job/engine/17/',
    scm: {
      url: 'https://git.example/engine.git',
      branch: 'origin/main',
      commit: '1dc6aa69429bff4806ad6afe58d3d8f57e25973e',
      changes: ['src/count.c', 'test/count.c'],
      culprits: ['ada'],
    },
    log: '',
    notes: '',
    artifacts: {},
    ...more,
  },
})

export const JENKINS_EXAMPLES: readonly Example[] = [
  {
    what: 'a build that fails',
    body: build('COMPLETED', 'FAILURE'),
    messages: [
      {
        topic: 'Engine » main',
        text: ':cross_mark: Build [Engine » main #17](https://ci.example/job/engine/17/) failed:\n\n* Branch: main\n* Commit: `1dc6aa69429b`\n* Changes: src/count.c and test/count.c',
      },
    ],
    isShown: true,
  },
  {
    what: 'a build that succeeds',
    body: build('COMPLETED', 'SUCCESS', { notes: 'By *Ada*' }),
    messages: [
      {
        topic: 'Engine » main',
        text: ':check: Build [Engine » main #17](https://ci.example/job/engine/17/) succeeded:\n\n* Branch: main\n* Commit: `1dc6aa69429b`\n* Changes: src/count.c and test/count.c\n* Notes: By &#42;Ada&#42;',
      },
    ],
  },
  {
    what: 'a build that has started',
    body: build('STARTED', ''),
    messages: [
      {
        topic: 'Engine » main',
        text: ':hourglass: Build [Engine » main #17](https://ci.example/job/engine/17/) has started for main.',
      },
    ],
  },
  { what: 'a build that waits', body: build('QUEUED', ''), messages: [] },
  {
    what: 'the same end once more',
    body: build('FINALIZED', 'UNSTABLE'),
    messages: [
      {
        topic: 'Engine » main',
        text: ':warning: Build [Engine » main #17](https://ci.example/job/engine/17/) is unstable:\n\n* Branch: main\n* Commit: `1dc6aa69429b`\n* Changes: src/count.c and test/count.c',
      },
    ],
  },
  {
    what: 'a branch that nobody wants to hear of',
    body: build('COMPLETED', 'FAILURE'),
    address: { branches: 'next' },
    messages: [],
  },
  {
    what: 'a build without most of its values',
    body: { name: 'engine', build: { phase: 'COMPLETED', status: 'ODD', scm: 7, number: '9' } },
    messages: [{ topic: 'engine', text: 'Build engine #9 has ended.' }],
  },
  { what: 'another phase', body: build('PAINTED', ''), unsupported: 'painted' },
  { what: 'something else', body: { hello: ['world'] }, unsupported: 'unknown' },
]
