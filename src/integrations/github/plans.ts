/** Events about projects, and about what relates issues and repositories to each other: sub-issues, rules, properties. */
import { linkToNumbered } from '../code-host-wording.ts'
import type { Reading } from '../integration.ts'
import { bold, code, details, inWords, link, person, plain, quote, statement, words } from '../markdown.ts'
import { lookUp, type Payload } from '../payload.ts'
import { type GitHubEvent, linkTo, type Readers, reader, silent } from './github-event.ts'

const ISSUE = 'issue'
/** Limit of the properties of one event, of which `details` shows the first. */
const MAX_PROPERTIES = 50
/** Limit of the values of one property. */
const MAX_VALUES = 20

export const PLAN_READERS: Readers = {
  ...silent(
    'custom_property_promoted_to_enterprise',
    'deployment_protection_rule',
    'secret_scanning_alert_location',
    'secret_scanning_scan',
  ),
  ...reader('projects_v2', ({ body, user, action, owner, say }) => {
    const project = body.at('projects_v2')
    const named = words('the project', bold(project.text('title')) || numberOf(project.text('number')))
    const description = action === 'created' ? quote(project.text('short_description')) : ''
    return say(
      statement(words(person(user), inWords(action) || 'changed', named), description),
      topicOf(owner),
    )
  }),
  ...reader('projects_v2_item', readItem),
  ...reader('projects_v2_status_update', ({ body, user, action, owner, say }) => {
    const update = body.at('projects_v2_status_update')
    const status = inWords(update.text('status').toLowerCase())
    const said = action === 'deleted' ? '' : quote(update.text('body'))
    const text = words(
      person(user),
      inWords(action) || 'changed',
      'a status update of a project',
      status && `(${status})`,
    )
    return say(statement(text, said), topicOf(owner))
  }),
  ...reader('sub_issues', (github) => readPair(github, 'sub_issue', 'parent_issue', SUB_ISSUES)),
  ...reader('issue_dependencies', (github) =>
    readPair(github, 'blocked_issue', 'blocking_issue', DEPENDENCIES),
  ),
  ...reader('repository_ruleset', ({ body, user, action, owner, say }) => {
    const ruleset = body.at('repository_ruleset')
    const name = link(ruleset.text('name') || 'without a name', ruleset.text('_links', 'html', 'href'))
    const state = inWords(ruleset.text('enforcement'))
    const before = code(body.text('changes', 'name', 'from'))
    const repository = linkTo(body.at('repository'))
    const text = words(
      person(user),
      inWords(action) || 'changed',
      'the ruleset',
      name,
      before && `(before: ${before})`,
      repository && `of ${repository}`,
      state && action !== 'deleted' ? `(enforcement: ${state})` : '',
    )
    return say(statement(text), owner)
  }),
  ...reader('custom_property', ({ body, user, action, owner, say }) => {
    const property = code(body.text('definition', 'property_name'))
    return say(
      statement(words(person(user), inWords(action) || 'changed', 'the custom property', property)),
      `${owner} organization`,
    )
  }),
  ...reader('custom_property_values', ({ body, user, say }) => {
    const before = new Map(
      body
        .firstItems(MAX_PROPERTIES, 'old_property_values')
        .map((one) => [one.text('property_name'), valuesOf(one)] as const),
    )
    const changes = body.firstItems(MAX_PROPERTIES, 'new_property_values').map((one) => {
      const [name, value] = [one.text('property_name'), valuesOf(one)]
      const from = before.get(name) ?? ''
      if (value === '') return [name, from && `${from} removed`] as const
      return [name, from && from !== value ? `${from} → ${value}` : value] as const
    })
    const unread = Math.max(0, body.count('new_property_values') - MAX_PROPERTIES)
    const repository = linkTo(body.at('repository'))
    const text = words(person(user), 'changed the custom properties', repository && `of ${repository}`)
    return say(statement(text, details(changes, unread)))
  }),
  ...reader('repository_advisory', ({ body, action, say }) => {
    const advisory = body.at('repository_advisory')
    const name = link(
      advisory.firstText('summary', 'ghsa_id') || 'A vulnerability',
      advisory.text('html_url'),
    )
    const severity = inWords(advisory.text('severity'))
    const done = action === 'published' ? 'was published' : 'was reported in private'
    return say(statement(words('Security advisory', name, severity && `(${severity})`, done)))
  }),
  ...reader('branch_protection_configuration', ({ action, did }) =>
    did(action === 'disabled' ? 'disabled' : 'enabled', 'all branch protections of the repository'),
  ),
  ...reader('personal_access_token_request', ({ body, action, user, owner, say }) => {
    const asker = linkTo(body.at('personal_access_token_request', 'owner')) || person(user)
    const done = lookUp(TOKEN_REQUESTS, action) ?? 'changed a request for'
    return say(
      statement(words(action === 'created' ? asker : person(user), done, 'a personal access token')),
      `${owner} organization`,
    )
  }),
  ...reader('security_and_analysis', ({ body, did }) =>
    did('changed the security settings of', linkTo(body.at('repository')) || 'the repository'),
  ),
  ...reader('installation_target', ({ body, say }) => {
    const before = code(body.text('changes', 'login', 'from'))
    const after = code(body.text('account', 'login'))
    return say(
      statement(
        words('The account of an installation', before, 'was renamed', before && after && `to ${after}`),
      ),
    )
  }),
}

const TOKEN_REQUESTS: Readonly<Record<string, string>> = {
  created: 'asked for',
  approved: 'approved the request for',
  denied: 'denied the request for',
  cancelled: 'cancelled the request for',
}

/** What stands on the board. */
const CONTENTS: Readonly<Record<string, string>> = {
  Issue: 'an issue',
  PullRequest: 'a pull request',
  DraftIssue: 'a draft issue',
}
const ITEM_ACTIONS: Readonly<Record<string, readonly [done: string, direction: string]>> = {
  created: ['added', 'to'],
  deleted: ['removed', 'from'],
  archived: ['archived', 'in'],
  restored: ['restored', 'in'],
  converted: ['converted', 'in'],
  edited: ['changed', 'in'],
}

/** Reads a change of an item of a project, of which GitHub says neither the title nor the address. */
function readItem(github: GitHubEvent): Reading {
  const { body, user, action, owner, say, unsupported } = github
  // Moving one item on a board reorders others.
  if (action === 'reordered') return 'ignore'
  const [done, direction] = lookUp(ITEM_ACTIONS, action) ?? []
  if (done === undefined || direction === undefined) return unsupported()
  const content = lookUp(CONTENTS, body.text('projects_v2_item', 'content_type')) ?? 'an item'
  const change = body.at('changes', 'field_value')
  const number = change.text('project_number')
  const organization = body.text('organization', 'login')
  const home = organization && number && `https://github.com/orgs/${organization}/projects/${number}`
  const project = link(number ? `project ${numberOf(number)}` : 'a project', home)
  const field = bold(change.text('field_name'))
  const [from, to] = [optionOf(change.at('from')), optionOf(change.at('to'))]
  const what = field ? words(done, field, 'of', content, direction, project) : undefined
  const text = words(
    person(user),
    what ?? words(done, content, direction, project),
    from && `from ${from}`,
    to && `to ${to}`,
  )
  return say(statement(text), topicOf(owner))
}

/** Returns the value of a field of a project: that of a choice has a name, that of an iteration a title. */
function optionOf(value: Payload): string {
  return bold(value.text() || value.firstText('name', 'title'))
}

function numberOf(number: string): string {
  return number && `#${plain(number)}`
}

function topicOf(owner: string): string {
  return `${owner} projects`
}

/** Actions on a pair of issues: what the first became of the second. */
type PairActions = Readonly<Record<string, readonly [done: string, direction: string]>>

const SUB_ISSUES: PairActions = {
  sub_issue_added: ['added sub-issue', 'to'],
  sub_issue_removed: ['removed sub-issue', 'from'],
  parent_issue_added: ['added sub-issue', 'to'],
  parent_issue_removed: ['removed sub-issue', 'from'],
}
const DEPENDENCIES: PairActions = {
  blocked_by_added: ['marked', 'as blocked by'],
  blocked_by_removed: ['marked', 'as not blocked by'],
  blocking_added: ['marked', 'as blocked by'],
  blocking_removed: ['marked', 'as not blocked by'],
}
/** The actions that GitHub posts once more for the other issue of a pair. */
const OF_THE_OTHER = /^(?:parent_issue|blocking)_/

function readPair(github: GitHubEvent, one: string, other: string, actions: PairActions): Reading {
  const { body, user, action, numbered, topicOfNumbered, say, unsupported } = github
  const [done, direction] = lookUp(actions, action) ?? []
  if (done === undefined || direction === undefined) return unsupported()
  const [first, second] = [body.at(one), body.at(other)]
  const isOfTheOther = OF_THE_OTHER.test(action)
  const isInOneRepository = first.text('repository_url') === second.text('repository_url')
  if (isOfTheOther && isInOneRepository) return 'ignore'
  // The post is for the repository of the issue in whose topic it is told.
  const isOfSubIssues = one === 'sub_issue'
  const here = isOfSubIssues === isOfTheOther ? first : second
  const named = (issue: Payload) => linkToNumbered(titled(numbered(ISSUE, issue), issue, issue !== here))
  const text = words(person(user), done, named(first), direction, named(second))
  return say(statement(text), topicOfNumbered(ISSUE, here))
}

function titled<Thing extends { readonly title: string }>(
  thing: Thing,
  issue: Payload,
  hasTitle: boolean,
): Thing {
  return hasTitle ? { ...thing, title: issue.text('title') } : thing
}

function valuesOf(property: Payload): string {
  const values = property.firstItems(MAX_VALUES, 'value').map((value) => bold(value.text()))
  return values.filter((value) => value !== '').join(', ') || bold(property.text('value'))
}
