import type { Example } from '../example.ts'

const HOME = 'https://bitbucket.org/acme/engine'
const html = (path: string) => ({ html: { href: `${HOME}${path}` } })
const repository = { name: 'engine', full_name: 'acme/engine', links: html('') }
const actor = { display_name: 'Ada Lovelace', nickname: 'ada' }
const event = (name: string) => ({ 'X-Event-Key': name })
const commit = (at: number, author: object) => ({
  hash: `${at}`.padStart(40, 'a'),
  message: `Step ${at}\n`,
  links: html(`/commits/${at}`),
  author,
})
const branch = { type: 'branch', name: 'main', target: { hash: 'c'.repeat(40) }, links: html('/branch/main') }
const change = {
  new: branch,
  old: branch,
  created: false,
  closed: false,
  forced: false,
  truncated: false,
  links: html('/branches/compare/c..b'),
  commits: [commit(2, { raw: 'Grace Hopper <g@example.com>' }), commit(1, { user: actor })],
}
const pushOf = (...changes: object[]) => ({ actor, repository, push: { changes } })
const pullrequest = {
  id: 6,
  title: 'Count the turns',
  description: 'One too low.',
  source: { branch: { name: 'count' } },
  destination: { branch: { name: 'main' } },
  reviewers: [{ display_name: 'Grace' }],
  links: html('/pull-requests/6'),
}
const issue = {
  id: 3,
  title: 'It stops',
  content: { raw: 'At 2³².' },
  assignee: null,
  links: html('/issues/3'),
}
const comment = { content: { raw: 'Yes.' }, links: html('/comment/1') }
const PR_TOPIC = 'engine / PR #6 Count the turns'
const PR = `[PR #6](${HOME}/pull-requests/6)`

export const BITBUCKET2_EXAMPLES: readonly Example[] = [
  {
    what: 'a push by two people',
    headers: event('repo:push'),
    body: pushOf(change),
    messages: [
      {
        topic: 'engine / main',
        text: `Ada Lovelace [pushed](${HOME}/branches/compare/c..b) 2 commits to branch main. Commits by Ada Lovelace (1) and Grace Hopper (1).\n\n* Step 1 ([aaaaaaa](${HOME}/commits/1))\n* Step 2 ([aaaaaaa](${HOME}/commits/2))`,
      },
    ],
  },
  {
    what: 'a pull request',
    headers: event('pullrequest:created'),
    body: { actor, repository, pullrequest },
    messages: [
      {
        topic: PR_TOPIC,
        text: `Ada Lovelace created ${PR} (assigned to Grace) from \`count\` to \`main\`:\n\n~~~ quote\nOne too low.\n~~~`,
      },
    ],
  },
  {
    what: 'a comment on a pull request',
    headers: event('pullrequest:comment_created'),
    body: { actor, repository, pullrequest, comment },
    messages: [
      {
        topic: PR_TOPIC,
        text: `Ada Lovelace [commented](${HOME}/comment/1) on ${PR}:\n\n~~~ quote\nYes.\n~~~`,
      },
    ],
  },
  {
    what: 'a push of a new tag, a deleted branch and a forced one',
    headers: event('repo:push'),
    body: pushOf(
      { ...change, new: { type: 'tag', name: 'v1', links: html('/tag/v1') }, old: null },
      { ...change, new: null, closed: true, commits: [], links: {} },
      { ...change, forced: true },
    ),
    messages: [
      { topic: 'engine', text: `Ada Lovelace pushed tag [v1](${HOME}/tag/v1).` },
      { topic: 'engine / main', text: `Ada Lovelace [deleted](${HOME}/branch/main) the branch main.` },
      {
        topic: 'engine / main',
        text: `Ada Lovelace [force pushed](${HOME}/branches/compare/c..b) to branch main. Head is now ccccccc.`,
      },
    ],
  },
  {
    what: 'a push to a branch that is left out',
    headers: event('repo:push'),
    body: pushOf(change),
    address: { branches: 'next' },
    messages: [],
  },
  {
    what: 'a merge under a topic of the address',
    headers: event('pullrequest:fulfilled'),
    body: { actor, repository, pullrequest },
    address: { topic: 'code' },
    messages: [
      { topic: PR_TOPIC, text: `Ada Lovelace merged [PR #6 Count the turns](${HOME}/pull-requests/6).` },
    ],
  },
  {
    what: 'a deleted comment',
    headers: event('pullrequest:comment_deleted'),
    body: { actor, repository, pullrequest, comment },
    messages: [{ topic: PR_TOPIC, text: `Ada Lovelace deleted a [comment](${HOME}/comment/1) on ${PR}.` }],
  },
  {
    what: 'an issue',
    headers: event('issue:created'),
    body: { actor, repository, issue },
    messages: [
      {
        topic: 'engine / issue #3 It stops',
        text: `Ada Lovelace created [issue #3](${HOME}/issues/3):\n\n~~~ quote\nAt 2³².\n~~~`,
      },
    ],
  },
  {
    what: 'an issue with another status',
    headers: event('issue:updated'),
    body: { actor, repository, issue, changes: { status: { old: 'new', new: 'resolved' } } },
    messages: [
      {
        topic: 'engine / issue #3 It stops',
        text: `Ada Lovelace updated [issue #3](${HOME}/issues/3) to resolved.`,
      },
    ],
  },
  {
    what: 'a comment on an issue',
    headers: event('issue:comment_created'),
    body: { actor, repository, issue, comment },
    messages: [
      {
        topic: 'engine / issue #3 It stops',
        text: `Ada Lovelace [commented](${HOME}/comment/1) on [issue #3](${HOME}/issues/3):\n\n~~~ quote\nYes.\n~~~`,
      },
    ],
  },
  {
    what: 'a comment on a commit',
    headers: event('repo:commit_comment_created'),
    body: { actor, repository, commit: { hash: 'e'.repeat(40), links: html('/commits/e') }, comment },
    messages: [
      {
        topic: 'engine',
        text: `Ada Lovelace [commented](${HOME}/comment/1) on [eeeeeee](${HOME}/commits/e):\n\n~~~ quote\nYes.\n~~~`,
      },
    ],
  },
  {
    what: 'the status of a commit',
    headers: event('repo:commit_status_updated'),
    body: {
      actor,
      repository,
      commit_status: {
        name: 'Build #7',
        key: 'build',
        url: 'https://ci.example/7',
        state: 'SUCCESSFUL',
        description: null,
        commit: { hash: 'e'.repeat(40), links: html('/commits/e') },
      },
    },
    messages: [
      {
        topic: 'engine',
        text: `[Build #7](https://ci.example/7) has the status successful for [eeeeeee](${HOME}/commits/e).`,
      },
    ],
  },
  {
    what: 'a fork by nobody',
    headers: event('repo:fork'),
    body: { actor: null, repository, fork: { full_name: 'grace/engine', links: html('') } },
    messages: [{ topic: 'engine', text: `Someone forked the repository into [grace/engine](${HOME}).` }],
  },
  {
    what: 'a transfer',
    headers: event('repo:transfer'),
    body: { actor, repository },
    unsupported: 'repo:transfer',
  },
]
