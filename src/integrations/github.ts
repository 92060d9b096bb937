import { isTag, nameOfRef, pushText, readCommit, setUpText, tagText, topicOf } from './code-host-wording.ts'
import { CHANGE_READERS } from './github/changes.ts'
import { type GitHubEvent, githubEvent, type Readers } from './github/github-event.ts'
import { PLAN_READERS } from './github/plans.ts'
import { HOUSEHOLD_READERS } from './github/repository-events.ts'
import { RUN_READERS } from './github/runs.ts'
import { defineIntegration, type Reading } from './integration.ts'
import { lookUp } from './payload.ts'
import { signedInHex } from './signatures.ts'

const READERS: Readers = {
  push: { events: ['push_commits', 'push_tags'], read: readPush },
  ping: { events: ['ping'], read: (github) => github.say(setUpText('GitHub', github.user), github.owner) },
  ...CHANGE_READERS,
  ...RUN_READERS,
  ...HOUSEHOLD_READERS,
  ...PLAN_READERS,
}

const signed = signedInHex('X-Hub-Signature-256', 'sha256=')

/** Posts of GitHub, for a repository or an organization. Source: docs/interface/webhooks.md#services. */
export const github = defineIntegration({
  name: 'github',
  displayName: 'GitHub',
  events: [...new Set(Object.values(READERS).flatMap(({ events }) => events))],
  eventHeader: 'X-GitHub-Event',
  options: ['branches', 'ignore_private_repositories'],
  deliveryId: ({ header }) => header('X-GitHub-Delivery'),
  ...signed,
  // GitHub posts up to 25 MB.
  large: { maxMib: 25, verify: signed.verify },
  read(delivery): Reading {
    const { body, event, options } = delivery
    if (options.ignore_private_repositories === 'true' && body.isTrue('repository', 'private'))
      return 'ignore'
    const github = githubEvent(delivery)
    const reader = lookUp(READERS, event)
    return reader?.read(github) ?? github.unsupported()
  },
})

/** The temporary branches of a merge queue. */
const MERGE_QUEUE = 'gh-readonly-queue/'

function readPush({ body, user, repository, takesBranch, say }: GitHubEvent): Reading {
  const ref = body.text('ref')
  const name = nameOfRef(ref)
  if (isTag(ref)) {
    const action = body.isTrue('deleted') ? 'removed' : 'pushed'
    return say(tagText(user, action, name), repository, 'push_tags')
  }
  if (name.startsWith(MERGE_QUEUE) || !takesBranch(name)) return 'ignore'
  const text = pushText({
    user,
    branch: name,
    url: body.text('compare'),
    // In a large post, the last ones are only counted.
    total: body.count('commits'),
    commits: {
      list: body.list('commits').filter((commit) => commit.has()),
      author: (commit) => commit.at('author').firstText('username', 'name'),
      read: readCommit,
    },
    isForced: body.isTrue('forced'),
    isDeleted: body.isTrue('deleted'),
    head: body.text('after'),
  })
  return say(text, topicOf(repository, name), 'push_commits')
}
