/** Events in a project other than code and discussions: builds, releases, people. */
import { releaseText, releaseTopic, topicOf } from '../code-host-wording.ts'
import type { Delivery, Reading } from '../integration.ts'
import {
  andMore,
  bullets,
  code,
  firstLine,
  inWords,
  link,
  person,
  plain,
  statement,
  words,
} from '../markdown.ts'
import { lookUp, type Payload } from '../payload.ts'

/** Intermediate states of a pipeline or job, which cause no messages. */
const ON_THE_WAY = new Set([
  'created',
  'pending',
  'preparing',
  'running',
  'waiting_for_resource',
  'scheduled',
])
const MAX_JOBS = 20

export function readPipeline({ body, attributes, hook, project }: GitLabEvent): Reading {
  const status = attributes.text('status')
  if (ON_THE_WAY.has(status)) return 'ignore'
  const home = body.text('project', 'web_url')
  const id = attributes.text('id')
  const address = attributes.text('url') || (home === '' || id === '' ? '' : `${home}/-/pipelines/${id}`)
  const name = link(words('Pipeline', id && `(${id})`), address)
  const how = resultOf(status)
  const lines = body
    .firstItems(MAX_JOBS, 'builds')
    .map((job) => `${plain(job.text('name')) || 'a job'} - ${inWords(job.text('status')) || 'unknown'}`)
  const left = body.count('builds') - MAX_JOBS
  const more = left > 0 ? `\n${andMore(`and ${left} more`, `[and ${left} more]`)}` : ''
  const ref = attributes.text('ref')
  const on = ref && `on ${plain(ref)}`
  const text =
    lines.length === 0
      ? `${words(name, how, on)}.`
      : `${words(name, how, on)} with jobs:\n${bullets(lines)}${more}`
  return { event: hook, topic: topicOf(project, ref), text }
}

function resultOf(status: string): string {
  if (status === 'success') return 'succeeded'
  return status === 'failed' ? 'failed' : words('has the status', inWords(status) || 'unknown')
}

export function readJob({ body, hook, project }: GitLabEvent): Reading {
  const status = body.firstText('build_status', 'status')
  if (ON_THE_WAY.has(status)) return 'ignore'
  const home = body.text('project', 'web_url') || body.text('repository', 'homepage')
  const id = body.text('build_id')
  const job = link(body.text('build_name') || 'job', home === '' || id === '' ? '' : `${home}/-/jobs/${id}`)
  const stage = plain(body.text('build_stage'))
  const how = resultOf(status)
  const ref = body.text('ref')
  const text = `${words('Job', job, stage && `of stage ${stage}`, how)}.`
  return { event: hook, topic: topicOf(project, ref), text }
}

export function readDeployment({ body, hook, user, project }: GitLabEvent): Reading {
  const environment = body.text('environment')
  const sha = link(body.text('short_sha'), body.text('commit_url'))
  const status = link(inWords(body.text('status')) || 'unknown', body.text('deployable_url'))
  const title = plain(firstLine(body.text('commit_title')))
  const what = words('Deployment', sha && `of ${sha}`, title && `(${title})`, user && `by ${person(user)}`)
  return {
    event: hook,
    topic: topicOf(project, environment === '' ? 'Deployment' : `Deployment on ${environment}`),
    text: `${what} has the status ${status}.`,
  }
}

const RELEASES: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' }

export function readRelease({ body, hook, user, project }: GitLabEvent): Reading {
  const [name, tag] = [body.text('name'), body.text('tag')]
  const action = lookUp(RELEASES, body.text('action')) ?? 'changed'
  const author = user || body.text('commit', 'author', 'name')
  return {
    event: hook,
    topic: releaseTopic(project, tag, name),
    text: releaseText(author, action, name, body.text('url'), tag),
  }
}

export function readFlag({ body, attributes, hook, user, project }: GitLabEvent): Reading {
  const home = body.text('project', 'web_url')
  const flag = link(attributes.text('name') || 'a feature flag', home === '' ? '' : `${home}/-/feature_flags`)
  const done = attributes.isTrue('active') ? 'activated' : 'deactivated'
  return {
    event: hook,
    topic: topicOf(project, 'feature flags'),
    text: statement(words(person(user), done, 'the feature flag', flag)),
  }
}

export function readEmoji({ attributes, hook, user, project }: GitLabEvent): Reading {
  const emoji = code(attributes.text('name'))
  const thing = inWords(attributes.text('awardable_type').toLowerCase()) || 'thing'
  const what = link(`${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`, attributes.text('awarded_on_url'))
  const [done, direction] = attributes.text('action') === 'revoke' ? ['removed', 'from'] : ['added', 'to']
  return {
    event: hook,
    topic: topicOf(project),
    text: statement(words(person(user), done, 'the emoji', emoji, direction, what)),
  }
}

export function readMilestone({ body, attributes, hook, user, project }: GitLabEvent): Reading {
  const done =
    lookUp(RELEASES, body.text('action')) ??
    lookUp(ACTIONS, body.text('action')) ??
    (inWords(body.text('action')) || 'changed')
  const home = body.text('project', 'web_url')
  const iid = attributes.text('iid')
  const milestone = link(
    attributes.text('title'),
    home === '' || iid === '' ? '' : `${home}/-/milestones/${iid}`,
  )
  return {
    event: hook,
    topic: topicOf(project),
    text: statement(words(person(user), done, 'the milestone', milestone)),
  }
}

export function readToken({ body, attributes, hook, project }: GitLabEvent): Reading {
  const place = project || body.text('group', 'group_name')
  const token = code(attributes.text('name')) || 'without a name'
  const expires = plain(attributes.text('expires_at'))
  return {
    event: hook,
    topic: topicOf(place || 'access tokens'),
    text: `${words('The access token', token, expires ? `expires on ${expires}` : 'expires soon')}.`,
  }
}

/** Actions of merge requests and issues, in words. */
export const ACTIONS: Readonly<Record<string, string>> = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  unapproved: 'unapproved',
  approval: 'approved',
  unapproval: 'unapproved',
}

/** A delivery of GitLab, with the facts common to most events. */
export interface GitLabEvent {
  readonly delivery: Delivery
  readonly body: Payload
  readonly attributes: Payload
  /** The name of the event without its action. */
  readonly hook: string
  readonly user: string
  readonly project: string
}
