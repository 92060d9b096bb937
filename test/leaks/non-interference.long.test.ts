import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { playHistory, tryLeaks } from './non-interference/history.ts'
import type { Stage } from './non-interference/stage.ts'

/**
 * The same history played twice, different only in what X may not see: every byte that X can get is the same. What
 * must differ all the same, `comparison.ts` lists and maps. Events come by polls and over a stream. Of the questions a third is
 * asked below /json, by a browser in which X is logged in. An owner imports archives that mention what is hidden.
 *
 * `SEED=` repeats a run, `HISTORIES=` says how many (8; npm run test:nightly: 600).
 *
 * Not looked at: how long answers take; which events share a frame of the stream; when, within minutes, a queue ends or a stream
 * that nobody is heard from (an organization is cleaned up every five minutes, reckoned from what is done in it); what the quotas of the whole organization reveal when they are used up; and names of channels, which are unique, so that a user who wants to
 * make one learns that a name is taken (docs/decisions/interface.md#stricter-than-the-public-server).
 */
const SEED = Number(env.SEED || Math.floor(Math.random() * 2 ** 31))
const HISTORIES = Number(env.HISTORIES || 8)
/** Hundreds of requests: a busy machine takes its time for them. */
const SLOW = 120_000
const CURIOSITY = { searches: 20, rounds: 9 }

// An eviction loses typing and presence, and comes between different requests in the two objects: the answers would differ.
neverEvict()

describe('X learns nothing of what is not visible to them', () => {
  const seeds = Array.from({ length: HISTORIES }, (_, index) => SEED + index)

  it.each(seeds)('history %i', { timeout: SLOW }, async (seed) => {
    const { looker, done, difference, secrets, questions, streamed } = await playHistory(seed, {
      steps: 40,
      ...CURIOSITY,
    })
    if (difference) {
      const { asked, where, first, second } = difference
      const found = `A ${looker} hears a difference. Again: SEED=${seed} HISTORIES=1`
      expect.fail([found, `asked: ${asked}`, `at: ${where}`, first, second, '', ...done].join('\n'))
    }
    expect(secrets).toBeGreaterThan(0)
    expect(questions).toBeGreaterThan(100)
    expect(streamed).toBeGreaterThan(0)
  })
})

describe('a difference is detected', () => {
  const within = (stage: Stage, statement: string) =>
    inRealm(stage.realm, (object, { storage: { sql } }) => {
      sql.exec(statement)
      // What is kept is forgotten, as if it had always been so.
      object.parts.sql.watch.forget()
    })

  it('when there is one', { timeout: SLOW }, async () => {
    const leaks: Record<string, (stage: Stage) => Promise<unknown>> = {
      'a message to X': ({ ann, channels }) => sendTo(ann, channels.lobby.id, 'walls'),
      'a letter in a description': async ({ owner, channels }) =>
        expectSuccess(await owner.api.patch(`/streams/${channels.lobby.id}`, { description: 'A' })),
      'an event that leaves nothing behind': async ({ ann, x }) =>
        expectSuccess(await ann.api.post('/typing', { op: 'start', to: [x.id] })),
      'a channel that is private no more': (stage) =>
        within(stage, `UPDATE channel SET is_private = 0 WHERE name = 'vault'`),
      'a channel that X is in again, and nobody has said so': (stage) =>
        within(stage, `UPDATE subscription SET is_active = 1 WHERE user_id = ${stage.x.id}`),
    }
    const found = await tryLeaks(Object.values(leaks))
    for (const [index, name] of Object.keys(leaks).entries()) {
      expect(found[index]!.alone, name).toBeDefined()
      expect(found[index]!.both, name).toBeUndefined()
    }
  })
})
