/** Issues, pull requests and discussions, and comments on them. */
import { commentAction, commitCommentText, linkToNumbered, numberedText } from '../code-host-wording.ts'
import type { Reading } from '../integration.ts'
import { blocks, bold, code, inWords, link, person, plain, quote, statement, words } from '../markdown.ts'
import { lookUp, type Payload } from '../payload.ts'
import { type GitHubEvent, linkTo, type Readers, reader } from './github-event.ts'

const PULL_REQUEST = 'PR'
const ISSUE = 'issue'
const DISCUSSION = 'discussion'

export const CHANGE_READERS: Readers = {
  pull_request: {
    events: [
      'opened_pull_request',
      'updated_pull_request',
      'closed_pull_request',
      'assigned_or_unassigned_pull_request',
      'locked_or_unlocked_pull_request',
      'pull_request_auto_merge',
      'pull_request_ready_for_review',
      'pull_request_review_requested',
    ],
    read: readPullRequest,
  },
  ...reader('pull_request_review', readReview),
  ...reader('pull_request_review_comment', (github) =>
    readComment(github, PULL_REQUEST, github.body.at('pull_request')),
  ),
  ...reader('pull_request_review_thread', (github) => {
    const { body, user, action, say, numbered, topicOfNumbered } = github
    const pull = body.at('pull_request')
    const text = numberedText({
      user,
      action: `${inWords(action)} a ${link('thread', body.text('thread', 'comments', 0, 'html_url'))} of`,
      on: numbered(PULL_REQUEST, pull),
    })
    return say(text, topicOfNumbered(PULL_REQUEST, pull))
  }),
  issues: {
    events: [
      'issues',
      'issue_labeled_or_unlabeled',
      'issue_milestoned_or_demilestoned',
      'issues_opened_via_transfer',
      'issues_transferred',
    ],
    read: readIssue,
  },
  ...reader('issue_comment', (github) => {
    const issue = github.body.at('issue')
    return readComment(github, issue.has('pull_request') ? PULL_REQUEST : ISSUE, issue)
  }),
  ...reader('commit_comment', ({ body, user, say }) => {
    const url = body.text('comment', 'html_url')
    const [commit] = url.split('#', 1)
    return say(
      commitCommentText(
        user,
        link('commented', url),
        body.text('comment', 'commit_id'),
        commit!,
        body.text('comment', 'body'),
      ),
    )
  }),
  ...reader('discussion', readDiscussion),
  ...reader('discussion_comment', (github) => readComment(github, DISCUSSION, github.body.at('discussion'))),
}

/** Actions on a pull request: the name for filters, and the words. */
const PULL_REQUEST_ACTIONS: Readonly<Record<string, readonly [event: string, words: string]>> = {
  opened: ['opened_pull_request', 'opened'],
  reopened: ['opened_pull_request', 'reopened'],
  synchronize: ['updated_pull_request', 'updated'],
  edited: ['updated_pull_request', 'edited'],
  assigned: ['assigned_or_unassigned_pull_request', 'assigned'],
  unassigned: ['assigned_or_unassigned_pull_request', 'unassigned'],
  locked: ['locked_or_unlocked_pull_request', 'locked'],
  unlocked: ['locked_or_unlocked_pull_request', 'unlocked'],
  auto_merge_enabled: ['pull_request_auto_merge', 'enabled auto merge for'],
  auto_merge_disabled: ['pull_request_auto_merge', 'disabled auto merge for'],
  ready_for_review: ['pull_request_ready_for_review', 'marked as ready for review'],
  converted_to_draft: ['pull_request_ready_for_review', 'converted to a draft'],
  review_requested: ['pull_request_review_requested', 'requested'],
}

/** Actions that accompany others, or are too frequent for messages. */
const SILENT_ACTIONS = new Set([
  'labeled',
  'unlabeled',
  'review_request_removed',
  'milestoned',
  'demilestoned',
  'enqueued',
  'dequeued',
  'approved',
])

function readPullRequest(github: GitHubEvent): Reading {
  const { body, user, action, numbered, topicOfNumbered, say } = github
  if (SILENT_ACTIONS.has(action)) return 'ignore'
  const pull = body.at('pull_request')
  const on = numbered(PULL_REQUEST, pull)
  const topic = topicOfNumbered(PULL_REQUEST, pull)
  if (action === 'closed') {
    const how = pull.isTrue('merged') ? 'merged' : 'closed without merge'
    return say(numberedText({ user, action: how, on }), topic, 'closed_pull_request')
  }
  const [event, done] = lookUp(PULL_REQUEST_ACTIONS, action) ?? []
  if (event === undefined || done === undefined) return github.unsupported()
  switch (event) {
    case 'assigned_or_unassigned_pull_request':
      return say(assignmentText(github, on), topic, event)
    case 'pull_request_review_requested': {
      const reviewer = body.has('requested_reviewer')
        ? body.at('requested_reviewer')
        : body.at('requested_team')
      const asked = `requested ${words('a review', linkTo(reviewer) && `by ${linkTo(reviewer)}`)} of`
      return say(numberedText({ user, action: asked, on }), topic, event)
    }
    case 'pull_request_ready_for_review':
      return say(
        statement(
          words(person(user), done.split(' ')[0]!, linkToNumbered(on), done.split(' ').slice(1).join(' ')),
        ),
        topic,
        event,
      )
    case 'locked_or_unlocked_pull_request': {
      const reason = action === 'locked' ? plain(pull.text('active_lock_reason')) : ''
      return say(numberedText({ user, action: done, on, more: reason && `as ${reason}` }), topic, event)
    }
  }
  const isNew = action === 'opened'
  const showsBody = isNew || body.has('changes', 'body')
  const text = numberedText({
    user,
    action: done,
    on,
    assignees: pull.list('assignees').map((one) => one.text('login')),
    ...(isNew ? { from: pull.text('head', 'ref'), to: pull.text('base', 'ref') } : {}),
    ...(showsBody ? { body: pull.text('body') } : {}),
  })
  return say(text, topic, event)
}

function assignmentText(
  { body, user, action }: GitHubEvent,
  on: Parameters<typeof linkToNumbered>[0],
): string {
  const assignee = linkTo(body.at('assignee'))
  const [verb, direction] = action === 'unassigned' ? ['unassigned', 'from'] : ['assigned', 'to']
  const done = assignee === '' ? verb : words(verb, assignee, direction)
  return numberedText({ user, action: done, on })
}

const REVIEWS: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'requested changes on',
  commented: 'reviewed',
  dismissed: 'dismissed a review of',
}

function readReview({ body, user, action, numbered, topicOfNumbered, say }: GitHubEvent): Reading {
  // GitHub sends an empty edit with each review.
  if (action === 'edited' && !body.has('changes', 'body')) return 'ignore'
  const pull = body.at('pull_request')
  const state = action === 'dismissed' ? action : body.text('review', 'state').toLowerCase()
  const done = action === 'edited' ? 'edited a review of' : (lookUp(REVIEWS, state) ?? 'reviewed')
  const on = {
    ...numbered(PULL_REQUEST, pull),
    url: body.text('review', 'html_url') || pull.text('html_url'),
  }
  return say(
    numberedText({ user, action: done, on, body: body.text('review', 'body') }),
    topicOfNumbered(PULL_REQUEST, pull),
  )
}

function readComment(
  { body, user, action, numbered, topicOfNumbered, say }: GitHubEvent,
  kind: string,
  thing: Payload,
): Reading {
  const comment = body.at('comment')
  if (action === 'edited' && body.text('changes', 'body', 'from') === comment.text('body')) return 'ignore'
  const text = numberedText({
    user,
    action: commentAction(action, comment.text('html_url')),
    on: numbered(kind, thing),
    body: action === 'deleted' ? '' : comment.text('body'),
  })
  return say(text, topicOfNumbered(kind, thing))
}

function readIssue(github: GitHubEvent): Reading {
  const { body, user, action, numbered, topicOfNumbered, say } = github
  const issue = body.at('issue')
  const on = numbered(ISSUE, issue)
  const topic = topicOfNumbered(ISSUE, issue)
  switch (action) {
    case 'labeled':
    case 'unlabeled': {
      const label = code(body.text('label', 'name'))
      const done = action === 'labeled' ? `added the ${label} label to` : `removed the ${label} label from`
      return say(
        numberedText({ user, action: label === '' ? inWords(action) : done, on }),
        topic,
        'issue_labeled_or_unlabeled',
      )
    }
    case 'milestoned':
    case 'demilestoned': {
      const milestone = body.at('milestone')
      const name = link(milestone.text('title'), milestone.text('html_url'))
      const done = action === 'milestoned' ? `added milestone ${name} to` : `removed milestone ${name} from`
      return say(
        numberedText({ user, action: name === '' ? inWords(action) : done, on }),
        topic,
        'issue_milestoned_or_demilestoned',
      )
    }
    case 'assigned':
    case 'unassigned':
      return say(assignmentText(github, on), topic)
    case 'transferred': {
      const there = body.at('changes', 'new_issue')
      const name = words(
        body.text('changes', 'new_repository', 'full_name'),
        there.text('number') && `#${there.text('number')}`,
      )
      const target = link(name, there.text('html_url'))
      return say(
        numberedText({ user, action: 'transferred', on, more: target && `to ${target}` }),
        topic,
        'issues_transferred',
      )
    }
    case 'opened':
      if (body.has('changes', 'old_issue'))
        return say(openedByTransfer(body, on), topic, 'issues_opened_via_transfer')
  }
  const showsBody = action === 'opened' || action === 'edited'
  const text = numberedText({
    user,
    action: inWords(action) || 'changed',
    on,
    body: showsBody ? issue.text('body') : '',
  })
  return say(text, topic)
}

function openedByTransfer(body: Payload, on: Parameters<typeof linkToNumbered>[0]): string {
  const before = body.at('changes', 'old_issue')
  const name = words(
    body.text('changes', 'old_repository', 'full_name'),
    before.text('number') && `#${before.text('number')}`,
  )
  const source = link(name, before.text('html_url'))
  return statement(
    words(linkToNumbered({ ...on, kind: 'Issue' }), 'was transferred', source && `from ${source}`),
  )
}

function readDiscussion({ body, user, action, numbered, topicOfNumbered, say }: GitHubEvent): Reading {
  const discussion = body.at('discussion')
  const on = numbered(DISCUSSION, discussion)
  const topic = topicOfNumbered(DISCUSSION, discussion)
  if (SILENT_ACTIONS.has(action)) return 'ignore'
  if (action !== 'created') {
    const done = action === 'category_changed' ? 'changed the category of' : inWords(action) || 'changed'
    return say(numberedText({ user, action: done, on }), topic)
  }
  const category = plain(discussion.text('category', 'name'))
  const heading = bold(discussion.text('title'))
  const opening = words(
    person(user),
    'created',
    linkToNumbered({ ...on, title: '' }),
    category && `in ${category}`,
  )
  return say(statement(opening, quote(blocks(heading, discussion.text('body')))), topic)
}
