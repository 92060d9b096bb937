/** Events about projects, groups, their members, and the accounts of an instance. */
import { topicOf } from '../code-host-wording.ts'
import type { Reading } from '../integration.ts'
import { bold, inWords, link, person, plain, statement, words } from '../markdown.ts'
import { lookUp, type Payload } from '../payload.ts'
import type { GitLabEvent } from './project.ts'

const MEMBERS: Readonly<Record<string, string>> = {
  user_add_to_group: 'was added to',
  user_add_to_team: 'was added to',
  user_update_for_group: 'has other permissions in',
  user_update_for_team: 'has other permissions in',
  user_remove_from_group: 'was removed from',
  user_remove_from_team: 'was removed from',
  user_access_request_to_group: 'asks for access to',
  user_access_request_to_project: 'asks for access to',
  user_access_request_denied_for_group: 'was denied access to',
  user_access_request_denied_for_project: 'was denied access to',
  // As group hooks call them.
  user_access_request_revoked_for_group: 'withdrew the request for access to',
  user_access_request_revoked_for_project: 'withdrew the request for access to',
}
/** The events of which the member's role is worth a word. */
const WITH_ROLE = /^user_(?:add|update)/

export function readMember({ body, hook, project }: GitLabEvent): Reading {
  const member = person(body.firstText('user_name', 'user_username'))
  const place = body.firstText('group_name', 'project_name') || project
  const name = body.text('event_name')
  const done = lookUp(MEMBERS, name) ?? 'has changed in'
  const role = WITH_ROLE.test(name)
    ? inWords(body.firstText('group_access', 'access_level', 'project_access'))
    : ''
  return {
    event: hook,
    topic: topicOf(place || 'members'),
    text: statement(words(member, done, plain(place) || 'the group', role && `as ${role}`)),
  }
}

/** What has happened to a project or a group, by the event without the thing: `project_create`. */
const DONE: Readonly<Record<string, string>> = {
  create: 'was created',
  destroy: 'was deleted',
  rename: 'was renamed',
  transfer: 'was transferred',
  update: 'was changed',
}

export function readProject({ body, hook }: GitLabEvent): Reading {
  return readPlace(body, hook, 'project', body.text('path_with_namespace'), 'path_with_namespace')
}

export function readGroup({ body, hook }: GitLabEvent): Reading {
  return readPlace(body, hook, 'group', body.firstText('full_path', 'path'), 'full_path')
}

function readPlace(body: Payload, hook: string, kind: string, path: string, key: string): Reading {
  const event = body.text('event_name')
  const done = lookUp(DONE, event.slice(event.lastIndexOf('_') + 1))
  if (done === undefined) return { unsupported: words(hook, event) }
  const name = body.text('name') || path
  const before = body.firstText(`old_${key}`, 'old_path')
  const parent = bold(body.text('parent_full_path'))
  const text = words(
    event.startsWith('sub') ? 'The subgroup' : `The ${kind}`,
    bold(path || name),
    parent && `of ${parent}`,
    done,
    before && before !== path ? `(before: ${plain(before)})` : '',
  )
  return { event: hook, topic: topicOf(name || `${kind}s`), text: statement(text) }
}

const ACCOUNTS: Readonly<Record<string, string>> = {
  user_create: 'was created',
  user_destroy: 'was deleted',
  user_rename: 'has another name',
  user_failed_login: 'failed to log in',
}

export function readAccount({ body, hook }: GitLabEvent): Reading {
  const event = body.text('event_name')
  const done = lookUp(ACCOUNTS, event)
  if (done === undefined) return { unsupported: words(hook, event) }
  const name = bold(body.firstText('username', 'name'))
  const before = plain(body.text('old_username'))
  const state = event === 'user_failed_login' ? inWords(body.text('state')) : ''
  const text = words('The account', name, done, before && `(before: ${before})`, state && `(${state})`)
  return { event: hook, topic: 'accounts', text: statement(text) }
}

export function readVulnerability({ attributes, hook, project }: GitLabEvent): Reading {
  const name = link(attributes.text('title') || 'A vulnerability', attributes.text('url'))
  const severity = inWords(attributes.text('severity').toLowerCase())
  const state = inWords(attributes.text('state').toLowerCase()) || 'unknown'
  const place = plain(attributes.text('location', 'file'))
  const text = words(
    'Vulnerability',
    name,
    severity && `(${severity})`,
    place && `in ${place}`,
    'has the state',
    state,
  )
  return { event: hook, topic: topicOf(project || 'vulnerabilities'), text: statement(text) }
}
