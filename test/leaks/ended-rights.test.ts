import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { finishExport, keepAlarmsAway, listedExport, startExport } from '../support/exports.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { inRealm } from '../support/inside.ts'
import { sendDirect, untilProjected } from '../support/messages.ts'
import { visit } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { postBody } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** Ways in which servers of this API have done what a user could no longer ask for. */

const { realm } = useRealm()

describe('a request that began before', () => {
  /** Runs a function while the organization's object waits for D1. */
  function whileLoading(act: () => Promise<unknown>): void {
    let isDone = false
    const { d1 } = world
    world.d1 = async (call, kind) => {
      if (kind === 'read' && !isDone) {
        isDone = true
        await act()
      }
      return d1(call, kind)
    }
  }

  /** Sends a message whose text only D1 has. */
  async function sentBy(author: TestUser): Promise<number> {
    // An object that wakes up reads from its log what D1 may not have.
    world.evictable = false
    const id = await sendDirect(author, [realm.owner], 'as it was')
    await untilProjected(realm, [id])
    // The object reads the text from its log until it knows that D1 has it.
    const isKnown = () =>
      inRealm(realm, ({ parts }) => {
        parts.projector.passEvents()
        return (
          parts.projector.projected === parts.sql.first<{ id: number }>('SELECT MAX(id) AS id FROM log')!.id
        )
      })
    await expect.poll(isKnown).toBe(true)
    return id
  }

  const textOf = async (id: number) =>
    expectSuccess(await realm.owner.api.get(`/messages/${id}`, { apply_markdown: false })).message.content

  it.each([
    ['the account was closed', (user: TestUser) => realm.owner.api.delete(`/users/${user.id}`)],
    ['it had a new key', (user: TestUser) => user.api.post('/users/me/api_key/regenerate')],
  ])('%s changes nothing after it', async (_what, act) => {
    const attempt = async () => {
      const user = await buildUser(realm)
      const id = await sentBy(user)
      let done: ApiResponse | undefined
      whileLoading(async () => {
        done = await act(user)
      })
      const edited = await user.api.patch(`/messages/${id}`, { content: 'as it should not be' })
      return { id, edited, done }
    }
    let { id, edited, done } = await attempt()
    // The moment may have been another organization's, whose jobs ask D1 too.
    for (let more = 0; more < 9 && !done; more += 1) ({ id, edited, done } = await attempt())
    expect(done?.status).toBe(200)
    expect(edited.status).toBe(401)
    expect(await textOf(id)).toBe('as it was')
  })

  it('its author lost the right changes nothing after it', async () => {
    const user = await buildUser(realm)
    const id = await sentBy(user)
    whileLoading(async () =>
      expectSuccess(await realm.owner.api.patch('/realm', { allow_message_editing: false })),
    )
    const edited = await user.api.patch(`/messages/${id}`, { content: 'as it should not be' })
    expectSuccess(await realm.owner.api.patch('/realm', { allow_message_editing: true }))
    expect(edited.status).toBe(400)
    expect(await textOf(id)).toBe('as it was')
  })

  it('the account was closed stores no file that was still coming', async () => {
    const user = await buildUser(realm)
    let closed: Promise<ApiResponse> | undefined
    const close = () => {
      closed = realm.owner.api.delete(`/users/${user.id}`)
    }
    const form = [
      '--x\r\nContent-Disposition: form-data; name="file"; filename="late.txt"\r\n',
      'Content-Type: text/plain\r\n\r\n',
    ].join('')
    const uploaded = new IdentityTransformStream()
    const writer = uploaded.writable.getWriter()
    const bytes = (text: string) => new TextEncoder().encode(text)
    const answering = postBody(user, '/user_uploads', uploaded.readable, {
      'Content-Type': 'multipart/form-data; boundary=x',
    })
    await writer.write(bytes(form))
    close()
    expectSuccess(await closed!)
    await writer.write(bytes('too late\r\n--x--\r\n'))
    await writer.close()
    expect((await answering).status).toBe(401)
    const kept = await env.UPLOADS.list({ prefix: `${realm.id}/` })
    const late = await Promise.all(kept.objects.map(async ({ key }) => (await env.UPLOADS.get(key))!.text()))
    expect(late).not.toContain('too late')
  })
})

describe('the address of an export', () => {
  const { realm: other } = useRealm()

  it('is refused to a user who is no longer an administrator', async () => {
    keepAlarmsAway()
    const [demoted, closed] = [await buildUser(other, { role: 200 }), await buildUser(other, { role: 100 })]
    const id = await startExport(demoted)
    const opens = async (url: string) => (await visit(url)).status
    const addresses = [(await finishExport(other, id)).url]
    const queue = await openQueue(other.owner)
    expectSuccess(await other.owner.api.patch(`/users/${demoted.id}`, { role: 400 }))
    const [event] = await queue.eventsOf('realm_export')
    addresses.push(event!.exports[0].export_url)
    expect(await Promise.all(addresses.map(opens))).toEqual([404, 200])
    expectSuccess(await other.owner.api.delete(`/users/${closed.id}`))
    addresses.push((await listedExport(other.owner, id)).export_url)
    expect(await Promise.all(addresses.map(opens))).toEqual([404, 404, 200])
    // Closing another administrator's account changes nothing.
    expectSuccess(await other.owner.api.delete(`/users/${demoted.id}`))
    expect(await opens(addresses[2]!)).toBe(200)
  })
})

describe('a deactivated organization', () => {
  const { realm: other } = useRealm()

  it('ends every waiting poll and stream', async () => {
    const [queue] = [await openQueue(other.owner, { event_types: ['message'] })]
    const [poll] = await holdPolls([queue])
    expectSuccess(await other.owner.api.post('/realm/deactivate'))
    expect(await poll).toEqual([])
  })
})
