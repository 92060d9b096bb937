import type { Example } from '../example.ts'

const HOME = 'https://git.example/acme/engine'
const repository = { name: 'engine', full_name: 'acme/engine', html_url: HOME, private: false }
const sender = { username: 'ada', full_name: 'Ada Lovelace' }
const commit = (at: number, username: string) => ({
  id: `${at}`.padStart(40, 'a'),
  message: `Step ${at}\n`,
  url: `${HOME}/commit/${at}`,
  author: { name: 'Somebody', username },
})
const push = {
  ref: 'refs/heads/main',
  after: 'c'.repeat(40),
  compare_url: `${HOME}/compare/b...c`,
  commits: [commit(1, 'ada')],
  repository,
  pusher: sender,
  sender,
}
const pull_request = {
  number: 4,
  title: 'Count the turns',
  body: '',
  html_url: `${HOME}/pulls/4`,
  head: { ref: 'count' },
  base: { ref: 'main' },
  merged: true,
  assignees: null,
}
const issue = { number: 3, title: 'It stops', body: 'At 2³².', html_url: `${HOME}/issues/3`, assignees: [] }
const PUSHED = `ada [pushed](${HOME}/compare/b...c) 1 commit to branch main.\n\n* Step 1 ([aaaaaaa](${HOME}/commit/1))`

const examplesFor = (header: string): readonly Example[] => {
  const event = (name: string) => ({ [`X-${header}-Event`]: name })
  return [
    {
      what: 'a push',
      headers: event('push'),
      body: push,
      messages: [{ topic: 'engine / main', text: PUSHED }],
    },
    {
      what: 'a pull request',
      headers: event('pull_request'),
      body: { action: 'opened', number: 4, pull_request, repository, sender },
      messages: [
        {
          topic: 'engine / PR #4 Count the turns',
          text: `ada opened [PR #4](${HOME}/pulls/4) from \`count\` to \`main\`.`,
        },
      ],
    },
    {
      what: 'an issue',
      isShown: true,
      headers: event('issues'),
      body: { action: 'opened', number: 3, issue, repository, sender },
      messages: [
        {
          topic: 'engine / issue #3 It stops',
          text: `ada opened [issue #3](${HOME}/issues/3):\n\n~~~ quote\nAt 2³².\n~~~`,
        },
      ],
    },
  ]
}

const event = (name: string) => ({ 'X-Gitea-Event': name })
const comment = { html_url: `${HOME}/issues/3#issuecomment-1`, body: 'Yes.' }

export const FORGEJO_EXAMPLES = examplesFor('Forgejo')
export const GOGS_EXAMPLES = examplesFor('Gogs')
export const GITEA_EXAMPLES: readonly Example[] = [
  ...examplesFor('Gitea'),
  {
    what: 'a merged pull request under a topic of the address',
    headers: event('pull_request'),
    body: { action: 'closed', number: 4, pull_request, repository, sender },
    address: { topic: 'code' },
    messages: [
      {
        topic: 'engine / PR #4 Count the turns',
        text: `ada merged [PR #4 Count the turns](${HOME}/pulls/4).`,
      },
    ],
  },
  {
    what: 'a comment on an issue',
    headers: event('issue_comment'),
    body: { action: 'created', issue, comment, repository, sender },
    messages: [
      {
        topic: 'engine / issue #3 It stops',
        text: `ada [commented](${HOME}/issues/3#issuecomment-1) on [issue #3](${HOME}/issues/3):\n\n~~~ quote\nYes.\n~~~`,
      },
    ],
  },
  {
    what: 'an approval',
    headers: event('pull_request_approved'),
    body: { action: 'reviewed', number: 4, pull_request, review: { content: 'Fine.' }, repository, sender },
    messages: [
      {
        topic: 'engine / PR #4 Count the turns',
        text: `ada approved [PR #4](${HOME}/pulls/4):\n\n~~~ quote\nFine.\n~~~`,
      },
    ],
  },
  {
    what: 'a branch',
    headers: event('create'),
    body: { ref: 'next', ref_type: 'branch', repository, sender },
    messages: [{ topic: 'engine', text: 'ada created branch next.' }],
  },
  {
    what: 'a release',
    headers: event('release'),
    body: {
      action: 'published',
      release: { name: 'First', tag_name: 'v1', html_url: `${HOME}/releases/tag/v1` },
      repository,
      sender,
    },
    messages: [
      {
        topic: 'engine / v1 First',
        text: `ada published release [First](${HOME}/releases/tag/v1) for tag v1.`,
      },
    ],
  },
  {
    what: 'a fork',
    headers: event('fork'),
    body: {
      forkee: { full_name: 'grace/engine', html_url: 'https://git.example/grace/engine' },
      repository,
      sender,
    },
    messages: [{ topic: 'engine', text: 'ada forked [grace/engine](https://git.example/grace/engine).' }],
  },
  {
    what: 'a push of three hundred commits by nobody',
    headers: event('push'),
    body: {
      ...push,
      commits: Array.from({ length: 300 }, (_, at) => ({ ...commit(at + 1, ''), author: null })),
      sender: null,
      pusher: null,
    },
    messages: [
      {
        topic: 'engine / main',
        text: `Someone [pushed](${HOME}/compare/b...c) 300 commits to branch main.\n\n${Array.from(
          { length: 20 },
          (_, at) => `* Step ${at + 1} ([aaaaaaa](${HOME}/commit/${at + 1}))`,
        ).join('\n')}\n[and 280 more commit(s)](${HOME}/compare/b...c)`,
      },
    ],
  },
  {
    what: 'a push to a branch that is left out',
    headers: event('push'),
    body: push,
    address: { branches: 'next' },
    messages: [],
  },
  {
    what: 'a package',
    headers: event('package'),
    body: { action: 'created', sender },
    unsupported: 'package',
  },
]
