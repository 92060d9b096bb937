import type { Example } from '../example.ts'

const HOME = 'https://git.example/projects/ACME/repos/engine'
const event = (name: string) => ({ 'X-Event-Key': name, 'X-Request-Id': `id-${name}` })
const actor = {
  name: 'ada',
  emailAddress: 'ada@example.com',
  id: 1,
  displayName: 'Ada Lovelace',
  active: true,
  slug: 'ada',
  type: 'NORMAL',
}
const repository = {
  slug: 'engine',
  id: 84,
  name: 'engine',
  scmId: 'git',
  state: 'AVAILABLE',
  project: { key: 'ACME', id: 84, name: 'Acme', public: false, type: 'NORMAL' },
  public: false,
  links: { self: [{ href: `${HOME}/browse` }] },
}
const change = (displayId: string, type: string, kind = 'BRANCH') => ({
  ref: { id: `refs/heads/${displayId}`, displayId, type: kind },
  refId: `refs/heads/${displayId}`,
  fromHash: 'b'.repeat(40),
  toHash: 'c'.repeat(40),
  type,
})
const commit = (at: number, displayName: string) => ({
  id: `${at}`.padStart(40, 'a'),
  displayId: `aa${at}`,
  author: { name: displayName.toLowerCase(), displayName },
  message: `Step ${at}\n\nAnd why.`,
})
const push = (changes: readonly object[], commits: readonly object[] = []) => ({
  eventKey: 'repo:refs_changed',
  date: '2026-11-02T10:40:00+1000',
  actor,
  repository,
  changes,
  commits,
})
const pullRequest = {
  id: 5,
  version: 1,
  title: 'Count the turns',
  description: 'One too *low*.',
  state: 'OPEN',
  open: true,
  closed: false,
  fromRef: { id: 'refs/heads/count', displayId: 'count', latestCommit: 'c'.repeat(40), repository },
  toRef: { id: 'refs/heads/main', displayId: 'main', latestCommit: 'b'.repeat(40), repository },
  author: { user: actor, role: 'AUTHOR', approved: false, status: 'UNAPPROVED' },
  reviewers: [{ user: { name: 'grace', displayName: 'Grace' }, role: 'REVIEWER' }],
  links: { self: [{ href: `${HOME}/pull-requests/5` }] },
}
const pull = (eventKey: string, more: object = {}) => ({
  eventKey,
  date: '2026-11-02T10:40:00+1000',
  actor,
  pullRequest,
  ...more,
})

export const BITBUCKET3_EXAMPLES: readonly Example[] = [
  {
    what: 'a push',
    headers: event('repo:refs_changed'),
    body: push([change('main', 'UPDATE')], [commit(2, 'Grace'), commit(1, 'Ada Lovelace')]),
    messages: [
      {
        topic: 'engine / main',
        text: 'Ada Lovelace [pushed](https://git.example/projects/ACME/repos/engine/compare/commits?targetBranch=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb&sourceBranch=cccccccccccccccccccccccccccccccccccccccc) 2 commits to branch main. Commits by Ada Lovelace (1) and Grace (1).\n\n* Step 1 ([aaaaaaa](https://git.example/projects/ACME/repos/engine/commits/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1))\n* Step 2 ([aaaaaaa](https://git.example/projects/ACME/repos/engine/commits/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2))',
      },
    ],
  },
  {
    what: 'a push to several branches',
    headers: event('repo:refs_changed'),
    body: push([change('new', 'ADD'), change('old', 'DELETE'), change('v1', 'ADD', 'TAG')]),
    messages: [
      {
        topic: 'engine / new',
        text: 'Ada Lovelace [pushed](https://git.example/projects/ACME/repos/engine/commits) the branch new.',
      },
      {
        topic: 'engine / old',
        text: 'Ada Lovelace [deleted](https://git.example/projects/ACME/repos/engine/commits) the branch old.',
      },
      { topic: 'engine', text: 'Ada Lovelace pushed tag v1.' },
    ],
  },
  {
    what: 'a push to a branch that nobody wants to hear of',
    headers: event('repo:refs_changed'),
    body: push([change('main', 'UPDATE')]),
    address: { branches: 'next' },
    messages: [],
  },
  {
    what: 'a pull request',
    isShown: true,
    headers: event('pr:opened'),
    body: pull('pr:opened'),
    messages: [
      {
        topic: 'engine / PR #5 Count the turns',
        text: 'Ada Lovelace created [PR #5](https://git.example/projects/ACME/repos/engine/pull-requests/5) (assigned to Grace) from `count` to `main`:\n\n~~~ quote\nOne too *low*.\n~~~',
      },
    ],
  },
  {
    what: 'a review',
    headers: event('pr:reviewer:needs_work'),
    body: pull('pr:reviewer:needs_work', {
      participant: { status: 'NEEDS_WORK' },
      previousStatus: 'UNAPPROVED',
    }),
    messages: [
      {
        topic: 'engine / PR #5 Count the turns',
        text: 'Ada Lovelace requested changes on [PR #5](https://git.example/projects/ACME/repos/engine/pull-requests/5).',
      },
    ],
  },
  {
    what: 'a merge',
    headers: event('pr:merged'),
    body: pull('pr:merged'),
    address: { topic: 'code' },
    messages: [
      {
        topic: 'engine / PR #5 Count the turns',
        text: 'Ada Lovelace merged [PR #5 Count the turns](https://git.example/projects/ACME/repos/engine/pull-requests/5).',
      },
    ],
  },
  {
    what: 'a comment on a pull request',
    headers: event('pr:comment:added'),
    body: pull('pr:comment:added', { comment: { id: 62, text: 'Why **two**?', author: actor } }),
    messages: [
      {
        topic: 'engine / PR #5 Count the turns',
        text: 'Ada Lovelace commented on [PR #5](https://git.example/projects/ACME/repos/engine/pull-requests/5):\n\n~~~ quote\nWhy **two**?\n~~~',
      },
    ],
  },
  {
    what: 'a comment on a commit',
    headers: event('repo:comment:added'),
    body: {
      eventKey: 'repo:comment:added',
      actor,
      repository,
      comment: { id: 63, text: 'Nice' },
      commit: '178864a7d521b6f5e720b386b2c2b0ef8563e0dc',
    },
    messages: [
      { topic: 'engine', text: 'Ada Lovelace commented on commit 178864a:\n\n~~~ quote\nNice\n~~~' },
    ],
  },
  {
    what: 'a fork',
    headers: event('repo:forked'),
    body: { eventKey: 'repo:forked', actor, repository: { ...repository, origin: repository } },
    messages: [
      {
        topic: 'engine',
        text: 'Ada Lovelace forked the repository into [engine](https://git.example/projects/ACME/repos/engine/browse).',
      },
    ],
  },
  {
    what: 'a test',
    headers: event('diagnostics:ping'),
    body: { test: true },
    messages: [
      {
        topic: 'Bitbucket Data Center',
        text: 'Bitbucket Data Center webhook has been successfully configured.',
      },
    ],
  },
  { what: 'a copy that is up to date', headers: event('mirror:repo_synchronized'), body: {}, messages: [] },
  {
    what: 'values of other types',
    headers: event('pr:opened'),
    body: { actor: 'ada', pullRequest: { id: {}, title: 7, reviewers: 'none', links: [] } },
    messages: [{ topic: 'PR 7', text: 'Someone created PR.' }],
  },
  {
    what: 'another event',
    headers: event('repo:painted'),
    body: { repository },
    unsupported: 'repo:painted',
  },
]
