import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeLine, isWanted, LogReader } from '../../scripts/log-lines.ts'
import { PROJECT } from '../../scripts/project.ts'
import { readSourceTree } from './import-graph.ts'

const request = (facts: object = {}) => ({
  at: '2026-11-20T21:53:04.396Z',
  level: 'info',
  what: 'request',
  operation: 'send-message',
  method: 'POST',
  status: 200,
  duration_ms: 12,
  rows_read: 30,
  rows_written: 7,
  far_trips: 1,
  organization: 'chat.example.com',
  ...facts,
})
const job = {
  at: request().at,
  level: 'info',
  what: 'job',
  kind: 'send-emails',
  outcome: 'done',
  duration_ms: 900,
}
const trouble = {
  at: request().at,
  level: 'error',
  what: 'D1 cannot be reached',
  error: 'Error: gone\n    at x.ts:1',
}

/** A log entry as `wrangler tail --format json` prints it. */
const tailed = (messages: unknown[], outcome = 'ok') =>
  JSON.stringify(
    { outcome, eventTimestamp: 0, logs: messages.map((message) => ({ message: [message] })) },
    null,
    2,
  )

const readAll = (text: string) => {
  const reader = new LogReader()
  return text.split('\n').flatMap((line) => reader.read(line))
}

describe('the lines of a log', () => {
  it('are found literally, and other lines are skipped', () => {
    const text = [
      'Parley listens at http://…',
      JSON.stringify(request()),
      '{"a":1}',
      JSON.stringify(job),
    ].join('\n')
    expect(readAll(text)).toEqual([request(), job])
  })

  it('are found in the output of wrangler tail, with calls the platform ended', () => {
    const text = [tailed([JSON.stringify(request()), 'text']), tailed([job], 'exceededMemory')].join('\n')
    expect(readAll(text).map(({ what }) => what)).toEqual(['request', 'job', 'The platform ended a call'])
  })

  it('can be chosen by operation, status, duration, level and kind', () => {
    const lines = [request(), request({ status: 503, level: 'warn', operation: 'get-events' }), job, trouble]
    const chosen = (filter: object) => lines.flatMap((line, index) => (isWanted(line, filter) ? [index] : []))
    expect(chosen({})).toEqual([0, 1, 2, 3])
    expect(chosen({ operation: 'send-message' })).toEqual([0])
    expect(chosen({ status: '5xx' })).toEqual([1])
    expect(chosen({ status: '200' })).toEqual([0])
    expect(chosen({ slow: 500 })).toEqual([2])
    expect(chosen({ level: 'warn' })).toEqual([1, 3])
    expect(chosen({ level: 'error' })).toEqual([3])
    expect(chosen({ what: 'job' })).toEqual([2])
  })

  it('are printed in columns, with errors below', () => {
    expect(describeLine(request({ code: 'BAD_REQUEST' }))).toMatch(
      /^21:53:04\.396 {2}200 {2}POST +send-message +12 ms {2}rows 30\/7 +trips 1 {2}chat\.example\.com {2}BAD_REQUEST$/,
    )
    expect(describeLine(job)).toBe(
      '21:53:04.396  INFO   job  kind=send-emails  outcome=done  duration_ms=900',
    )
    expect(describeLine(trouble)).toBe(
      '21:53:04.396  ERROR  D1 cannot be reached\n    Error: gone\n        at x.ts:1',
    )
  })
})

it('npm run logs reads a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'parley-logs-')), 'log')
  writeFileSync(file, [request(), trouble].map((line) => JSON.stringify(line)).join('\n'))
  const run = [join(PROJECT, 'scripts/logs.ts'), file, '--level', 'error']
  const printed = execFileSync(process.execPath, run, { encoding: 'utf8' })
  expect(printed).toBe('21:53:04.396  ERROR  D1 cannot be reached\n    Error: gone\n        at x.ts:1\n')
})

it('npm run logs shows the address of a starting server beside its log', () => {
  const input = [
    'Parley is at http://localhost:8787',
    '',
    JSON.stringify(request()),
    tailed([request()]),
  ].join('\n')
  const { stdout, stderr } = spawnSync(process.execPath, [join(PROJECT, 'scripts/logs.ts')], {
    input,
    encoding: 'utf8',
  })
  expect(stderr).toBe('Parley is at http://localhost:8787\n\n')
  expect(stdout.match(/send-message/g)).toHaveLength(2)
})

const OF_THE_OBJECT = /^(?:realm|outgoing|features\/[^/]+\/background)\//

/** Returns warnings and errors in the object's code: each call of `log`, up to the line that ends it. */
const troublesOfObject = () =>
  [...readSourceTree(join(PROJECT, 'src'))]
    .filter(([file]) => OF_THE_OBJECT.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(/(?<!#)\blog\('(?:warn|error)'(?:.*\)$|[\s\S]*?\n *\}\))/gm)].map(
        ([call]) => `${file}: ${call}`,
      ),
    )

/** A schema that this build does not know is not read, so it is not known whose it is. */
const OF_NOBODY = "log('error', describeOther(error), { error })"

it('each warning of the object names its organization', () => {
  const troubles = troublesOfObject()
  expect(troubles.length).toBeGreaterThan(15)
  const ofNobody = troubles.filter((call) => !/\b(?:organization|realm_id|realm_uuid|facts)\b/.test(call))
  expect(ofNobody).toEqual([`realm/other-build.ts: ${OF_NOBODY}`])
})
