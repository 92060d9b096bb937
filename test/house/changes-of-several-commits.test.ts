import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { CONTINUATIONS } from '../../src/core/continuation-names.ts'
import { JOB_KINDS } from '../../src/core/job-kinds.ts'
import { OPERATIONS } from '../../src/features/index.ts'
import { codeOf } from './code-of-page.ts'

const page = readFileSync(join(PROJECT, 'docs/reliability.md'), 'utf8')
const section = page.split('## Changes of several commits')[1]!.split('\n## ')[0]!
const test = readFileSync(join(PROJECT, 'test/meter/large-changes.ts'), 'utf8')

/** The names in the first columns of the section's tables. */
const listed = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => codeOf(line.split(' | ')[0]!))
  .toSorted()
const tried = [...test.matchAll(/^ {2}'?([a-z-]+)'?: async \(/gm)].map(([, name]) => name!)

/** They share the command of `update-settings`, and change the caller's own settings alone. */
const ALWAYS_ONE = ['update-display-settings', 'update-notification-settings']

const ofSeveral = [...OPERATIONS.values()].filter(({ command }) => 'commits' in command)
const operations = ofSeveral.map(({ operation }) => operation).filter((name) => !ALWAYS_ONE.includes(name))

/** Jobs that make one change each, or call somebody. */
const OF_ONE_COMMIT = [
  'call-webhooks',
  'announce-restore',
  'begin-backup',
  'confirm-address',
  'deliver-pushes',
  'deliver-reminder',
  'deliver-scheduled-message',
  'expire-import-upload',
  'expire-resumable-upload',
  // Continues the operations and continuations.
  'finish-change',
  'guide-newcomer',
  'preview-websites',
  'project',
  'register-push-device',
  'register-token',
  'remind-invitee',
  'remove-copy',
  'remove-files',
  'send-emails',
]

/** Jobs whose cuts other tests try, or that change nothing that people see. */
const TRIED_ELSEWHERE = [
  'announce-full-members',
  'begin-digests',
  'channel-statistics',
  'check-backup',
  'compare-accounts',
  'delete-realm',
  'enter-missed',
  'expire-messages',
  'export-organization',
  'fill-postings',
  'forget-browser-sessions',
  'forget-first-answers',
  'forget-old',
  'forget-websites',
  'housekeeping',
  'import-organization',
  'invite-imported',
  'list-erasures',
  'make-backup',
  'note-activity',
  'read-backup',
  'rewrite-rows',
]

describe('a change of several commits', () => {
  it('is on the page: each operation, continuation, and job that goes on with something', () => {
    const jobs = Object.keys(JOB_KINDS).filter((kind) => !OF_ONE_COMMIT.includes(kind))
    expect(operations.length).toBeGreaterThan(10)
    expect(listed).toEqual([...operations, ...Object.keys(CONTINUATIONS), ...jobs].toSorted())
  })

  it('is cut by a test', () => {
    expect(tried.toSorted()).toEqual(listed.filter((name) => !TRIED_ELSEWHERE.includes(name)))
  })

  it('is of an account, for which a job can continue it', () => {
    const others = ofSeveral.filter(({ access }) => ['anyone', 'spectator', 'provisioning'].includes(access))
    expect(others).toEqual([])
  })
})
