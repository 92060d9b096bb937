/** Work of programs on a repository: checks, workflows, deployments, and their findings. */
import { shortSha, topicOf } from '../code-host-wording.ts'
import type { Reading } from '../integration.ts'
import { code, inWords, link, oneLine, person, plain, quote, statement, words } from '../markdown.ts'
import { lookUp } from '../payload.ts'
import { type GitHubEvent, type Readers, reader, silent } from './github-event.ts'

export const RUN_READERS: Readers = {
  ...silent('check_suite', 'merge_group', 'workflow_job'),
  ...reader('check_run', ({ body, repository, action, say }) => {
    const run = body.at('check_run')
    if (action !== 'completed') return 'ignore'
    const sha = run.text('head_sha')
    const commit = link(shortSha(sha), `${body.text('repository', 'html_url')}/commit/${sha}`)
    const check = link(run.text('name') || 'check', run.text('html_url'))
    const text = words('Check', check, 'completed', conclusionOf(run.text('conclusion')))
    return say(words(`${text}.`, commit && `(${commit})`), topicOf(repository, 'checks'))
  }),
  ...reader('workflow_run', ({ body, repository, action, say }) => {
    if (action !== 'completed') return 'ignore'
    const run = body.at('workflow_run')
    const name = link(run.text('name') || body.text('workflow', 'name') || 'workflow', run.text('html_url'))
    const branch = run.text('head_branch')
    const text = words(
      'Workflow',
      name,
      branch && `on branch ${plain(branch)}`,
      'completed',
      conclusionOf(run.text('conclusion')),
    )
    return say(`${text}.`, topicOf(repository, 'checks'))
  }),
  ...reader('workflow_dispatch', ({ body, user, repository, say }) => {
    const path = body.text('workflow')
    const text = words(person(user), 'started the workflow', code(path.slice(path.lastIndexOf('/') + 1)))
    return say(statement(text), topicOf(repository, 'checks'))
  }),
  ...reader('status', ({ body, say }) => {
    const commit = link(shortSha(body.text('sha')), body.text('commit', 'html_url')) || 'A commit'
    const state = link(body.text('state') || 'unknown', body.text('target_url'))
    return say(statement(words(commit, 'changed its status to', state)))
  }),
  ...reader('deployment', (github) => {
    const ref = github.body.text('deployment', 'ref')
    const text = words(person(github.user), 'created a new deployment', ref && `of ${plain(ref)}`)
    return github.say(statement(text), deploymentTopic(github))
  }),
  ...reader('deployment_status', (github) => {
    const status = github.body.at('deployment_status')
    const address = status.firstText('environment_url', 'log_url', 'target_url')
    const state = link(status.text('state').replaceAll('_', ' ') || 'unknown', address)
    return github.say(`Deployment changed status to ${state}.`, deploymentTopic(github))
  }),
  ...reader('deployment_review', ({ body, user, action, repository, say }) => {
    const environment = plain(body.text('environment') || body.text('workflow_job_run', 'name'))
    const done = action === 'requested' ? 'requested a review of' : inWords(action) || 'reviewed'
    const deployment = link('the deployment', body.text('workflow_run', 'html_url'))
    return say(
      statement(words(person(user), done, deployment, environment && `to ${environment}`)),
      topicOf(repository, 'deployments'),
    )
  }),
  ...reader('page_build', ({ body, say }) => {
    const build = body.at('build')
    const by = plain(build.text('pusher', 'login'))
    const status =
      lookUp(PAGE_BUILDS, build.text('status')) ??
      (inWords(build.text('status')) && `is ${inWords(build.text('status'))}`)
    const text = words('GitHub Pages build', by && `triggered by ${by}`, status || 'has changed')
    return say(statement(text, quote(build.text('error', 'message'))))
  }),
  ...reader('code_scanning_alert', (github) => {
    const rule = github.body.at('alert', 'rule')
    return alert(github, 'Code scanning alert', rule.firstText('description', 'id'), rule.text('severity'))
  }),
  ...reader('dependabot_alert', (github) => {
    const advisory = github.body.at('alert', 'security_advisory')
    return alert(github, 'Dependabot alert', advisory.text('summary'), advisory.text('severity'))
  }),
  ...reader('secret_scanning_alert', (github) => {
    const what = github.body.at('alert').firstText('secret_type_display_name', 'secret_type')
    return alert(github, 'Secret scanning alert', what, '')
  }),
  ...reader('repository_vulnerability_alert', ({ body, action, say }) => {
    const found = body.at('alert')
    const id = link(found.firstText('external_identifier', 'ghsa_id'), found.text('external_reference'))
    const text = words(
      'Vulnerability alert',
      id,
      'about',
      code(found.text('affected_package_name')) || 'a package',
      severity(found.text('severity')),
      `was ${inWords(action === 'create' ? 'created' : action.replace(/e?$/, 'ed')) || 'changed'}`,
    )
    return say(statement(text))
  }),
  ...reader('security_advisory', ({ body, action, say }) => {
    const advisory = body.at('security_advisory')
    const name =
      link(advisory.firstText('summary', 'ghsa_id'), advisory.text('references', 0, 'url')) ||
      'without a name'
    const text = words(
      'Security advisory',
      name,
      severity(advisory.text('severity')),
      `was ${inWords(action) || 'changed'}`,
    )
    return say(statement(text), 'security advisories')
  }),
}

const PAGE_BUILDS: Readonly<Record<string, string>> = {
  null: 'has yet to be built',
  building: 'is being built',
  errored: 'has failed',
  built: 'has finished building',
}

function deploymentTopic({ body, repository }: GitHubEvent): string {
  const environment = oneLine(body.text('deployment', 'environment'))
  return topicOf(repository, environment === '' ? 'Deployment' : `Deployment on ${environment}`)
}

function conclusionOf(conclusion: string): string {
  return conclusion === '' ? '' : `(${inWords(conclusion)})`
}

function severity(level: string): string {
  return level === '' ? '' : `(${inWords(level)} severity)`
}

/** Reports a finding of a program, or its resolution. */
function alert(
  { body, action, repository, say }: GitHubEvent,
  kind: string,
  summary: string,
  level: string,
): Reading {
  const found = body.at('alert')
  const number = found.text('number')
  const name = link(words(number && `#${number}`, oneLine(summary)), found.text('html_url'))
  return say(
    statement(words(kind, name, severity(level), `was ${inWords(action) || 'changed'}`)),
    topicOf(repository, 'alerts'),
  )
}
