import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

async function create(user: TestUser, title = 'Welcome', content = 'Hello and **welcome**'): Promise<number> {
  return expectSuccess(await user.api.post('/saved_snippets', { title, content })).saved_snippet_id
}

async function list(user: TestUser) {
  return expectSuccess(await user.api.get('/saved_snippets')).saved_snippets
}

describe('a saved snippet', () => {
  it('is kept for its owner, and sent to the owner’s clients only', async () => {
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    const id = await create(ann, ' Welcome ', ' Hello\n')
    const snippet = { id, title: 'Welcome', content: 'Hello', date_created: expect.any(Number) }
    expect(await anns.eventsOf('saved_snippets', 'add')).toMatchObject([{ saved_snippet: snippet }])
    expect(await bens.events()).toEqual([])
    expect(await list(ann)).toContainEqual(snippet)
    expect(await list(ben)).toEqual([])
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['saved_snippets'] })
    expect(snapshot.saved_snippets).toContainEqual(snippet)
  })

  it('changes only in given parts; the same values again emit nothing', async () => {
    const id = await create(ann)
    const queue = await openQueue(ann)
    expectSuccess(await ann.api.patch(`/saved_snippets/${id}`, { title: 'Hi' }))
    expectSuccess(await ann.api.patch(`/saved_snippets/${id}`, { title: 'Hi' }))
    expectSuccess(await ann.api.patch(`/saved_snippets/${id}`, { content: 'Hi!' }))
    expect(
      (await queue.eventsOf('saved_snippets', 'update')).map((one) => one['saved_snippet']),
    ).toMatchObject([
      { id, title: 'Hi', content: 'Hello and **welcome**' },
      { id, title: 'Hi', content: 'Hi!' },
    ])
  })

  it('can be deleted', async () => {
    const id = await create(ann)
    const queue = await openQueue(ann)
    expectSuccess(await ann.api.delete(`/saved_snippets/${id}`))
    expect(await queue.eventsOf('saved_snippets', 'remove')).toMatchObject([{ saved_snippet_id: id }])
    expect((await list(ann)).map((one: { id: number }) => one.id)).not.toContain(id)
  })

  it('cannot be changed by anybody else', async () => {
    const id = await create(ann)
    for (const response of [
      await ben.api.patch(`/saved_snippets/${id}`, { title: 'Mine' }),
      await ben.api.delete(`/saved_snippets/${id}`),
      await ann.api.delete('/saved_snippets/999999'),
    ]) {
      expect([response.status, response.body.code, response.body.msg]).toEqual([
        404,
        'BAD_REQUEST',
        'Saved snippet does not exist.',
      ])
    }
    expect((await realm.anonymous.get('/saved_snippets')).status).toBe(401)
  })

  it.each([
    [{ content: 'x' }, "Missing 'title' argument"],
    [{ title: 'x' }, "Missing 'content' argument"],
    [{ title: '  ', content: 'x' }, 'title cannot be blank'],
    [{ title: 'x', content: ' \n' }, 'content cannot be blank'],
    [{ title: 'x'.repeat(61), content: 'x' }, 'title is too long (limit: 60 characters)'],
    [{ title: 'x', content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
  ])('is refused with %j', async (params, msg) => {
    const { status, body } = await ann.api.post('/saved_snippets', params as Record<string, ParameterValue>)
    expect([status, body.msg]).toEqual([400, msg])
  })
})
