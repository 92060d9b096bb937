import { signedInList } from '../signatures.ts'
import { declared, type Words } from './declaration.ts'

/** A value of the revision: its place depends on how the project is connected. */
const of = (vcs: string, git: string) => `pipeline.vcs.${vcs} | or: pipeline.trigger_parameters.git.${git}`
const SHA = of('revision', 'checkout_sha')
const SOURCE = `{{? for {{${of('commit.subject', 'commit_title')} | or: pipeline.trigger_parameters.git.commit_message | line | code}}?}}{{? ([{{${SHA} | first: 7}}]({{${of('origin_repository_url', 'repo_url')}}}/{{pipeline.vcs.provider_name | as: path}}/{{${SHA}}}))?}}{{? by {{${of('commit.author.name', 'commit_author_name')}}}?}}`

/** Says how something has ended. A status that is not known is named. */
const ended = (path: string, what: string): Words => ({
  says: `{{${path} | as: icon}} ${what} [{{workflow.name | default: "without a name"}}]({{workflow.url}}){{? (pipeline {{pipeline.number}})?}} {{${path} | as: ended}} {{${path} | as: did | words}}${SOURCE}`,
})

/** Workflows and jobs of CircleCI. Source: docs/interface/webhooks.md#services. */
export const circleci = declared({
  name: 'circleci',
  displayName: 'CircleCI',
  event: '{{type}}',
  id: '{{id}}',
  topic: [
    '{{project.name}}',
    `{{${of('branch', 'branch')} | or: pipeline.vcs.tag | or: pipeline.trigger_parameters.git.tag}}`,
  ],
  branch: `{{${of('branch', 'branch')}}}`,
  ...signedInList('circleci-signature'),
  events: {
    'workflow-completed': ended('workflow.status', 'Workflow'),
    'job-completed': ended('job.status', 'Job{{? {{job.name | bold}}?}} of workflow'),
    ping: { says: 'CircleCI webhook has been successfully configured', topic: '{{project.name}}' },
  },
  tables: {
    icon: {
      success: ':check:',
      failed: ':cross_mark:',
      error: ':cross_mark:',
      canceled: ':prohibited:',
      unauthorized: ':prohibited:',
      '*': '',
    },
    ended: {
      success: '',
      failed: '',
      error: '',
      canceled: '',
      unauthorized: '',
      '': 'has ended',
      '*': 'ended as',
    },
    did: {
      success: 'succeeded',
      error: 'ended with an error',
      canceled: 'was canceled',
      unauthorized: 'was not authorized',
    },
    path: { bitbucket: 'commits', gitlab: '-/commit', '*': 'commit' },
  },
})
