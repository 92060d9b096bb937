import { setUpText, shortSha, topicOf } from './code-host-wording.ts'
import { defineIntegration, type Reading } from './integration.ts'
import { bold, code, inWords, link, linkIfAny, oneLine, plain, statement, words } from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { signedInList } from './signatures.ts'

/** The outcome of a workflow or a job. */
const RESULTS: Readonly<Record<string, readonly [icon: string, text: string]>> = {
  success: [':check:', 'succeeded'],
  failed: [':cross_mark:', 'failed'],
  error: [':cross_mark:', 'ended with an error'],
  canceled: [':prohibited:', 'was canceled'],
  unauthorized: [':prohibited:', 'was not authorized'],
}

/** Workflows and jobs of CircleCI. Source: docs/interface/webhooks.md#services. */
export const circleci = defineIntegration({
  name: 'circleci',
  displayName: 'CircleCI',
  events: ['workflow-completed', 'job-completed', 'ping'],
  options: ['branches'],
  deliveryId: ({ body }) => body.text('id'),
  ...signedInList('circleci-signature'),
  read({ body, takesBranch }): Reading {
    const event = body.text('type')
    const project = body.text('project', 'name')
    if (event === 'ping') return { event, topic: project, text: setUpText('CircleCI') }
    if (event !== 'workflow-completed' && event !== 'job-completed')
      return { unsupported: event || 'unknown' }
    const source = sourceOf(body.at('pipeline'))
    if (source.branch !== '' && !takesBranch(source.branch)) return 'ignore'
    const workflow = body.at('workflow')
    const isJob = event === 'job-completed'
    const status = body.text(isJob ? 'job' : 'workflow', 'status')
    const [icon, result] = lookUp(RESULTS, status) ?? [
      '',
      inWords(status) ? `ended as ${inWords(status)}` : 'has ended',
    ]
    const job = isJob ? words('Job', bold(body.text('job', 'name')), 'of workflow') : 'Workflow'
    const name = link(workflow.text('name') || 'without a name', workflow.text('url'))
    const pipeline = plain(body.text('pipeline', 'number'))
    const text = words(
      icon,
      job,
      name,
      pipeline && `(pipeline ${pipeline})`,
      `${result}${source.text && ' for'}`,
      source.text,
    )
    return { event, topic: topicOf(project, source.branch || source.tag), text: statement(text) }
  },
})

interface Source {
  readonly branch: string
  readonly tag: string
  /** The built revision, in Markdown; '' if unknown. */
  readonly text: string
}

/** Returns the revision for which a pipeline was started: its format depends on how the project is connected. */
function sourceOf(pipeline: Payload): Source {
  const vcs = pipeline.at('vcs')
  const parameters = pipeline.at('trigger_parameters')
  const git = parameters.at('git')
  const branch = vcs.text('branch') || git.text('branch')
  const tag = vcs.text('tag') || git.text('tag')
  const sha = vcs.text('revision') || git.text('checkout_sha')
  const url = vcs.text('origin_repository_url') || git.text('repo_url')
  const subject = vcs.text('commit', 'subject') || git.text('commit_title') || git.text('commit_message')
  const author = plain(vcs.text('commit', 'author', 'name') || git.text('commit_author_name'))
  const commit = linkIfAny(shortSha(sha), url && `${url}/${pathOf(vcs.text('provider_name'))}/${sha}`)
  const id = commit || plain(shortSha(sha))
  const named = subject ? words(code(oneLine(subject)), id && `(${id})`) : id && `commit ${id}`
  return { branch, tag, text: words(named, named && author && `by ${author}`) }
}

/** Returns the path of commits below the repository's address. */
function pathOf(provider: string): string {
  if (provider === 'bitbucket') return 'commits'
  return provider === 'gitlab' ? '-/commit' : 'commit'
}
