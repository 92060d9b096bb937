import type { Example } from '../example.ts'
import { GITLAB_HOUSEHOLD_EXAMPLES } from './gitlab-repository-events.ts'

const HOME = 'https://gitlab.example/acme/engine'
const project = { name: 'engine', web_url: HOME, path_with_namespace: 'acme/engine' }
const user = { name: 'Ada Lovelace', username: 'ada' }
const event = (name: string) => ({ 'X-Gitlab-Event': name })
const commit = (at: number, name: string) => ({
  id: `${at}`.padStart(40, 'a'),
  message: `Step ${at}\n`,
  url: `${HOME}/-/commit/${at}`,
  author: { name, email: '' },
})
const push = {
  object_kind: 'push',
  ref: 'refs/heads/main',
  before: 'b'.repeat(40),
  after: 'c'.repeat(40),
  user_name: 'Ada Lovelace',
  project,
  commits: [commit(1, 'Ada Lovelace'), commit(2, 'Grace')],
  total_commits_count: 2,
}
const mergeRequest = {
  object_kind: 'merge_request',
  user,
  project,
  assignees: [{ name: 'Grace' }, { name: 'Alan' }],
  object_attributes: {
    iid: 5,
    title: 'Count the turns',
    url: `${HOME}/-/merge_requests/5`,
    action: 'open',
    state: 'opened',
    source_branch: 'count',
    target_branch: 'main',
    description: 'One too low.',
  },
}
const issue = {
  object_kind: 'issue',
  user,
  project,
  object_attributes: {
    iid: 3,
    title: 'It stops',
    url: `${HOME}/-/issues/3`,
    action: 'close',
    description: null,
  },
}
const note = {
  object_kind: 'note',
  user,
  project,
  object_attributes: {
    noteable_type: 'MergeRequest',
    note: 'Nice.',
    url: `${HOME}/-/merge_requests/5#note_1`,
  },
  merge_request: { iid: 5, title: 'Count the turns', url: `${HOME}/-/merge_requests/5` },
}
const MR_TOPIC = 'engine / MR #5 Count the turns'
const MR = `[MR #5](${HOME}/-/merge_requests/5)`

export const GITLAB_EXAMPLES: readonly Example[] = [
  {
    what: 'a push by two people',
    headers: event('Push Hook'),
    body: push,
    messages: [
      {
        topic: 'engine / main',
        text: `Ada Lovelace [pushed](${HOME}/-/compare/${push.before}...${push.after}) 2 commits to branch main. Commits by Ada Lovelace (1) and Grace (1).\n\n* Step 1 ([aaaaaaa](${HOME}/-/commit/1))\n* Step 2 ([aaaaaaa](${HOME}/-/commit/2))`,
      },
    ],
  },
  {
    what: 'a merge request',
    headers: event('Merge Request Hook'),
    body: mergeRequest,
    messages: [
      {
        topic: MR_TOPIC,
        text: `Ada Lovelace created ${MR} (assigned to Grace and Alan) from \`count\` to \`main\`:\n\n~~~ quote\nOne too low.\n~~~`,
      },
    ],
  },
  {
    what: 'a comment on a merge request',
    headers: event('Note Hook'),
    body: note,
    messages: [
      {
        topic: MR_TOPIC,
        text: `Ada Lovelace [commented](${HOME}/-/merge_requests/5#note_1) on ${MR}:\n\n~~~ quote\nNice.\n~~~`,
      },
    ],
  },
  {
    what: 'a confidential issue that is closed',
    headers: event('Confidential Issue Hook'),
    body: issue,
    messages: [
      { topic: 'engine / issue #3 It stops', text: `Ada Lovelace closed [issue #3](${HOME}/-/issues/3).` },
    ],
  },
  {
    what: 'a pipeline that has failed',
    isShown: true,
    headers: event('Pipeline Hook'),
    body: {
      object_kind: 'pipeline',
      user,
      project,
      object_attributes: { id: 31, status: 'failed', ref: 'main', duration: 63 },
      builds: [
        { name: 'build', stage: 'build', status: 'success' },
        { name: 'test', stage: 'test', status: 'failed' },
      ],
    },
    messages: [
      {
        topic: 'engine / main',
        text: `[Pipeline (31)](${HOME}/-/pipelines/31) failed on main with jobs:\n* build - success\n* test - failed`,
      },
    ],
  },
  {
    what: 'a pipeline that runs',
    headers: event('Pipeline Hook'),
    body: { object_kind: 'pipeline', project, object_attributes: { id: 31, status: 'running' } },
    messages: [],
  },
  {
    what: 'a new branch',
    headers: event('Push Hook'),
    body: { ...push, before: '0'.repeat(40), commits: [], total_commits_count: 0 },
    messages: [
      { topic: 'engine / main', text: `Ada Lovelace [pushed](${HOME}/-/commits/main) the branch main.` },
    ],
  },
  {
    what: 'a deleted branch',
    headers: event('Push Hook'),
    body: { ...push, after: '0'.repeat(40), commits: [], total_commits_count: 0 },
    messages: [{ topic: 'engine / main', text: `Ada Lovelace [deleted](${HOME}) the branch main.` }],
  },
  {
    what: 'a push of three hundred commits, of which twenty come along',
    headers: event('System Hook'),
    body: {
      ...push,
      commits: Array.from({ length: 20 }, (_, at) => commit(at + 1, 'Ada Lovelace')),
      total_commits_count: 300,
    },
    messages: [
      {
        topic: 'engine / main',
        text: `Ada Lovelace [pushed](${HOME}/-/compare/${push.before}...${push.after}) 300 commits to branch main.\n\n${Array.from(
          { length: 20 },
          (_, at) => `* Step ${at + 1} ([aaaaaaa](${HOME}/-/commit/${at + 1}))`,
        ).join('\n')}\n[and 280 more commit(s)](${HOME}/-/compare/${push.before}...${push.after})`,
      },
    ],
  },
  {
    what: 'a tag',
    headers: event('Tag Push Hook'),
    body: { ...push, object_kind: 'tag_push', ref: 'refs/tags/v1' },
    messages: [{ topic: 'engine', text: `Ada Lovelace pushed tag [v1](${HOME}/-/tags/v1).` }],
  },
  {
    what: 'commits added to a merge request, under a topic without its title',
    headers: event('Merge Request Hook'),
    body: {
      ...mergeRequest,
      assignees: [],
      object_attributes: {
        ...mergeRequest.object_attributes,
        action: 'update',
        oldrev: 'd'.repeat(40),
        last_commit: { url: `${HOME}/-/commit/9` },
      },
    },
    address: { use_merge_request_title: 'false' },
    messages: [
      { topic: 'engine / MR #5', text: `Ada Lovelace [added commit(s)](${HOME}/-/commit/9) to ${MR}.` },
    ],
  },
  {
    what: 'a label of an issue',
    headers: event('Issue Hook'),
    body: {
      ...issue,
      object_attributes: { ...issue.object_attributes, action: 'update' },
      changes: { labels: { previous: [], current: [{ title: 'bug' }] } },
    },
    messages: [
      {
        topic: 'engine / issue #3 It stops',
        text: `Ada Lovelace added \`bug\` to [issue #3](${HOME}/-/issues/3).`,
      },
    ],
  },
  {
    what: 'an approval under a topic of the address',
    headers: event('Merge Request Hook'),
    body: { ...mergeRequest, object_attributes: { ...mergeRequest.object_attributes, action: 'approved' } },
    address: { topic: 'code' },
    messages: [
      {
        topic: MR_TOPIC,
        text: `Ada Lovelace approved [MR #5 Count the turns](${HOME}/-/merge_requests/5).`,
      },
    ],
  },
  ...['Commit', 'Issue', 'Snippet'].map((noteable_type) => ({
    what: `a comment on: ${noteable_type}`,
    headers: event('Note Hook'),
    body: {
      ...note,
      object_attributes: { ...note.object_attributes, noteable_type },
      commit: { id: 'e'.repeat(40), url: `${HOME}/-/commit/e` },
      issue: { iid: 3, title: 'It stops', url: `${HOME}/-/issues/3` },
      snippet: { id: 8, title: 'Recipe', url: `${HOME}/-/snippets/8` },
    },
    messages: [
      {
        Commit: {
          topic: 'engine',
          text: `Ada Lovelace [commented](${HOME}/-/merge_requests/5#note_1) on [eeeeeee](${HOME}/-/commit/e):\n\n~~~ quote\nNice.\n~~~`,
        },
        Issue: {
          topic: 'engine / issue #3 It stops',
          text: `Ada Lovelace [commented](${HOME}/-/merge_requests/5#note_1) on [issue #3](${HOME}/-/issues/3):\n\n~~~ quote\nNice.\n~~~`,
        },
        Snippet: {
          topic: 'engine / snippet #8 Recipe',
          text: `Ada Lovelace [commented](${HOME}/-/merge_requests/5#note_1) on [snippet #8 Recipe](${HOME}/-/snippets/8):\n\n~~~ quote\nNice.\n~~~`,
        },
      }[noteable_type]!,
    ],
  })),
  {
    what: 'a wiki page',
    headers: event('Wiki Page Hook'),
    body: {
      object_kind: 'wiki_page',
      user,
      project,
      object_attributes: { title: 'Home', url: `${HOME}/-/wikis/home`, action: 'create' },
    },
    messages: [
      { topic: 'engine / wiki pages', text: `Ada Lovelace created wiki page [Home](${HOME}/-/wikis/home).` },
    ],
  },
  {
    what: 'a job',
    headers: event('Job Hook'),
    body: {
      object_kind: 'build',
      ref: 'main',
      build_id: 7,
      build_name: 'lint',
      build_stage: 'test',
      build_status: 'success',
      project,
      project_name: 'acme / engine',
    },
    messages: [{ topic: 'engine / main', text: `Job [lint](${HOME}/-/jobs/7) of stage test succeeded.` }],
  },
  {
    what: 'a deployment',
    headers: event('Deployment Hook'),
    body: {
      object_kind: 'deployment',
      status: 'success',
      environment: 'staging',
      deployable_url: `${HOME}/-/jobs/8`,
      short_sha: '279484c0',
      commit_url: `${HOME}/-/commit/9`,
      commit_title: 'Add new file',
      project,
      user,
    },
    messages: [
      {
        topic: 'engine / Deployment on staging',
        text: `Deployment of [279484c0](${HOME}/-/commit/9) (Add new file) by Ada Lovelace has the status [success](${HOME}/-/jobs/8).`,
      },
    ],
  },
  {
    what: 'a release',
    headers: event('Release Hook'),
    body: {
      object_kind: 'release',
      name: 'First',
      tag: 'v1',
      url: `${HOME}/-/releases/v1`,
      action: 'create',
      project,
      commit: { author: { name: 'Grace' } },
    },
    messages: [
      {
        topic: 'engine / v1 First',
        text: `Grace created release [First](${HOME}/-/releases/v1) for tag v1.`,
      },
    ],
  },
  {
    what: 'a feature flag',
    headers: event('Feature Flag Hook'),
    body: { object_kind: 'feature_flag', project, user, object_attributes: { name: 'fast', active: true } },
    messages: [
      {
        topic: 'engine / feature flags',
        text: `Ada Lovelace activated the feature flag [fast](${HOME}/-/feature_flags).`,
      },
    ],
  },
  {
    what: 'an emoji',
    headers: event('Emoji Hook'),
    body: {
      object_kind: 'emoji',
      user,
      project,
      object_attributes: {
        name: 'thumbsup',
        action: 'award',
        awardable_type: 'Issue',
        awarded_on_url: `${HOME}/-/issues/3`,
      },
    },
    messages: [
      {
        topic: 'engine',
        text: `Ada Lovelace added the emoji \`thumbsup\` to [an issue](${HOME}/-/issues/3).`,
      },
    ],
  },
  {
    what: 'a milestone',
    headers: event('Milestone Hook'),
    body: {
      object_kind: 'milestone',
      user,
      project,
      action: 'create',
      object_attributes: { iid: 1, title: 'v1' },
    },
    messages: [{ topic: 'engine', text: `Ada Lovelace created the milestone [v1](${HOME}/-/milestones/1).` }],
  },
  {
    what: 'a member of a group',
    headers: event('Member Hook'),
    body: { event_name: 'user_add_to_group', user_name: 'Grace', group_name: 'acme' },
    messages: [{ topic: 'acme', text: 'Grace was added to acme.' }],
  },
  {
    what: 'an access token that expires',
    headers: event('Resource Access Token Hook'),
    body: {
      object_kind: 'access_token',
      project,
      object_attributes: { name: 'deploy', expires_at: '2027-01-26' },
    },
    messages: [{ topic: 'engine', text: 'The access token `deploy` expires on 2027-01-26.' }],
  },
  {
    what: 'a title of a megabyte',
    headers: event('Issue Hook'),
    body: { ...issue, object_attributes: { ...issue.object_attributes, title: '漢'.repeat(350_000) } },
    address: { topic: 'code' },
    messages: [
      {
        topic: `engine / issue #3 ${'漢'.repeat(181)}…`,
        text: `Ada Lovelace closed [issue #3 ${'漢'.repeat(240)}…](${HOME}/-/issues/3).`,
      },
    ],
  },
  ...GITLAB_HOUSEHOLD_EXAMPLES,
]
