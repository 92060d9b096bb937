import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { needs } from '../support/needs.ts'
import { found } from './found.ts'

/**
 * Senders that really are several: commands of a test within workerd arrive in one moment, and those of real senders while others are
 * being stored. Each commit writes all the pages that it changes, so that the bytes show how many messages share one.
 */
const SENDERS = 16
const OF_EACH = 40
const IN_TURN = 100

let server: LocalServer
let ann: CreatedOrganization
beforeAll(async () => {
  server = await startLocalServer({ vars: { RATE_LIMITS: 'off' } })
  ann = await found(server)
})
afterAll(() => server?.stop())

/** Bytes that workerd has written so far; undefined on systems that do not count them. */
function bytesWritten(): number | undefined {
  try {
    const found = /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${server.runtimePid()}/io`, 'utf8'))
    return found ? Number(found[1]) : undefined
  } catch {
    return undefined
  }
}

async function send(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const response = await fetch(`${server.url}/api/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${ann.email}:${ann.api_key}`)}` },
      body: new URLSearchParams({ type: 'direct', to: `["${ann.email}"]`, content: `message ${number}` }),
    })
    expect(response.status).toBe(200)
  }
}

/** Bytes that a message takes when so many senders send at once. */
async function bytesOfOne(senders: number, ofEach: number): Promise<number> {
  const before = bytesWritten() ?? 0
  await Promise.all(Array.from({ length: senders }, () => send(ofEach)))
  return ((bytesWritten() ?? 0) - before) / (senders * ofEach)
}

describe('many senders', needs('Linux, which counts the bytes that a process writes'), () => {
  it('share commits, so that each message writes much less', { timeout: 120_000 }, async ({ skip }) => {
    if (bytesWritten() === undefined) skip()
    await send(20)
    const alone = await bytesOfOne(1, IN_TURN)
    await bytesOfOne(SENDERS, 2)
    const together = await bytesOfOne(SENDERS, OF_EACH)
    expect(together).toBeLessThan(0.6 * alone)
  })
})
