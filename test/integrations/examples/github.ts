import type { Example } from '../example.ts'
import { GITHUB_PLAN_EXAMPLES } from './github-plans.ts'

const repository = {
  name: 'engine',
  full_name: 'acme/engine',
  private: false,
  html_url: 'https://github.com/acme/engine',
}
const sender = { login: 'ada', html_url: 'https://github.com/ada' }
const pull_request = {
  number: 12,
  title: 'Count the turns',
  html_url: 'https://github.com/acme/engine/pull/12',
  body: 'The counter was **one** too low.',
  merged: false,
  head: { ref: 'count-turns' },
  base: { ref: 'main' },
  assignees: [{ login: 'grace' }],
}
const issue = {
  number: 7,
  title: 'It stops at 2³²',
  html_url: 'https://github.com/acme/engine/issues/7',
  body: null,
}
const commit = (at: number, author: object) => ({
  id: `${at}`.padStart(40, 'a'),
  message: `Step ${at}\n\nAnd why.`,
  url: `https://github.com/acme/engine/commit/${at}`,
  author,
})
const push = {
  ref: 'refs/heads/main',
  before: 'b'.repeat(40),
  after: 'c'.repeat(40),
  created: false,
  deleted: false,
  forced: false,
  compare: 'https://github.com/acme/engine/compare/b...c',
  commits: [commit(1, { username: 'ada', name: 'Ada' })],
  repository,
  sender,
}
const event = (name: string) => ({ 'X-GitHub-Event': name })

export const GITHUB_EXAMPLES: readonly Example[] = [
  {
    what: 'a push',
    headers: event('push'),
    body: push,
    messages: [
      {
        topic: 'engine / main',
        text: 'ada [pushed](https://github.com/acme/engine/compare/b...c) 1 commit to branch main.\n\n* Step 1 ([aaaaaaa](https://github.com/acme/engine/commit/1))',
      },
    ],
  },
  {
    what: 'a pull request',
    isShown: true,
    headers: event('pull_request'),
    body: { action: 'opened', number: 12, pull_request, repository, sender },
    messages: [
      {
        topic: 'engine / PR #12 Count the turns',
        text: 'ada opened [PR #12](https://github.com/acme/engine/pull/12) (assigned to grace) from `count-turns` to `main`:\n\n~~~ quote\nThe counter was **one** too low.\n~~~',
      },
    ],
  },
  {
    what: 'an issue without a text',
    headers: event('issues'),
    body: { action: 'opened', issue, repository, sender },
    messages: [
      {
        topic: 'engine / issue #7 It stops at 2³²',
        text: 'ada opened [issue #7](https://github.com/acme/engine/issues/7).',
      },
    ],
  },
  {
    what: 'a push under a topic of the address, as a form',
    headers: event('pull_request'),
    form: {
      payload: JSON.stringify({
        action: 'closed',
        pull_request: { ...pull_request, merged: true },
        repository,
        sender,
      }),
    },
    address: { topic: 'code' },
    messages: [
      {
        topic: 'engine / PR #12 Count the turns',
        text: 'ada merged [PR #12 Count the turns](https://github.com/acme/engine/pull/12).',
      },
    ],
  },
  {
    what: 'a push of three hundred commits by five people',
    headers: event('push'),
    body: {
      ...push,
      commits: Array.from({ length: 300 }, (_, at) =>
        commit(
          at + 1,
          at < 290 ? { username: ['ada', 'grace', 'alan'][at % 3] } : { name: ['K. Zuse', null][at % 2] },
        ),
      ),
    },
    messages: [
      {
        topic: 'engine / main',
        text: `ada [pushed](https://github.com/acme/engine/compare/b...c) 300 commits to branch main. Commits by ada (97), grace (97), alan (96) and others (10).\n\n${Array.from(
          { length: 20 },
          (_, at) => `* Step ${at + 1} ([aaaaaaa](https://github.com/acme/engine/commit/${at + 1}))`,
        ).join('\n')}\n[and 280 more commit(s)](https://github.com/acme/engine/compare/b...c)`,
      },
    ],
  },
  {
    what: 'a forced push',
    headers: event('push'),
    body: { ...push, forced: true },
    messages: [
      {
        topic: 'engine / main',
        text: 'ada [force pushed](https://github.com/acme/engine/compare/b...c) to branch main. Head is now ccccccc.',
      },
    ],
  },
  {
    what: 'a deleted branch',
    headers: event('push'),
    body: { ...push, deleted: true, after: '0'.repeat(40), commits: [] },
    messages: [
      {
        topic: 'engine / main',
        text: 'ada [deleted](https://github.com/acme/engine/compare/b...c) the branch main.',
      },
    ],
  },
  {
    what: 'a push to a branch of which the address says nothing',
    headers: event('push'),
    body: push,
    address: { branches: 'release-*, next' },
    messages: [],
  },
  {
    what: 'a private repository where the address leaves these out',
    headers: event('push'),
    body: { ...push, repository: { ...repository, private: true } },
    address: { ignore_private_repositories: 'true' },
    messages: [],
  },
  {
    what: 'a title that would be markup, a mention and a link',
    headers: event('issues'),
    body: {
      action: 'opened',
      issue: { ...issue, title: '[x](http://evil) @**all** `y` *z*\n# <b>', body: '@**all**\n~~~\nend' },
      repository,
      sender: { login: '@**all**' },
    },
    address: { topic: 'code' },
    messages: [
      {
        topic: 'engine / issue #7 [x](http://evil) @**all** `y` *z* # <b>',
        text: '@&#42;&#42;all&#42;&#42; opened [issue #7 &#91;x&#93;(http://evil) @&#42;&#42;all&#42;&#42; &#96;y&#96; &#42;z&#42; # &lt;b&gt;](https://github.com/acme/engine/issues/7):\n\n~~~~ quote\n@**all**\n~~~\nend\n~~~~',
      },
    ],
  },
  {
    what: 'a project card',
    headers: event('project_card'),
    body: { action: 'created', repository, sender },
    unsupported: 'project_card:created',
  },
  ...GITHUB_PLAN_EXAMPLES,
]
