import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, admin, ann, guest } = useRealm({ admin: 'administrator', ann: 'member', guest: 'guest' })

describe('playgrounds', () => {
  const PYTHON = {
    name: 'Python playground',
    pygments_language: 'Python',
    url_template: 'https://python.example.com/?code={code}',
  }

  it('can be added and deleted, and everybody gets the whole list', async () => {
    const queue = await openQueue(guest)
    const { id } = expectSuccess(await admin.api.post('/realm/playgrounds', PYTHON))
    expect(await queue.eventsOf('realm_playgrounds')).toMatchObject([
      { realm_playgrounds: [{ id, ...PYTHON }] },
    ])
    expect((await openQueue(ann)).snapshot.realm_playgrounds).toEqual([{ id, ...PYTHON }])
    expectSuccess(await admin.api.delete(`/realm/playgrounds/${id}`))
    expect(await queue.eventsOf('realm_playgrounds')).toMatchObject([{ realm_playgrounds: [] }])
    expectRefusal(await admin.api.delete(`/realm/playgrounds/${id}`), 'Invalid playground')
  })

  it('need a URL template with exactly the variable “code”', async () => {
    const withTemplate = (url_template: string) =>
      admin.api.post('/realm/playgrounds', { ...PYTHON, url_template })
    expectRefusal(await withTemplate('https://example.com/{code'), 'Invalid URL template.', {
      errors: { url_template: ['Invalid URL template.'] },
    })
    expectRefusal(await withTemplate(' '), 'This field cannot be blank.', {
      errors: { url_template: ['This field cannot be blank.'] },
    })
    expectRefusal(
      await withTemplate('https://example.com/'),
      'Missing the required variable "code" in the URL template',
    )
    expectRefusal(
      await withTemplate('https://example.com/{code}/{user}'),
      '"code" should be the only variable present in the URL template',
    )
    expectRefusal(
      await admin.api.post('/realm/playgrounds', { ...PYTHON, name: ' ' }),
      'name cannot be blank',
    )
    const { id } = expectSuccess(
      await admin.api.post('/realm/playgrounds', { ...PYTHON, name: 'n'.repeat(41) }),
    )
    expectSuccess(await admin.api.delete(`/realm/playgrounds/${id}`))
    expectRefusal(
      await admin.api.post('/realm/playgrounds', { ...PYTHON, pygments_language: 'a'.repeat(41) }),
      'pygments_language is too long (limit: 40 characters)',
    )
    expectRefusal(
      await admin.api.post('/realm/playgrounds', { ...PYTHON, pygments_language: 'a$b' }),
      'Invalid characters in pygments language',
    )
  })

  it('of one language have different names', async () => {
    const add = (changes: object) => admin.api.post('/realm/playgrounds', { ...PYTHON, ...changes })
    const { id } = expectSuccess(await add({}))
    const text = 'Realm playground with this Realm, Pygments language and Name already exists.'
    expectRefusal(await add({ url_template: 'https://other.example.com/{code}' }), text, {
      errors: { __all__: [text] },
    })
    const others = [await add({ name: 'Another' }), await add({ pygments_language: 'Rust' })]
    for (const other of [id, ...others.map((made) => expectSuccess(made).id)]) {
      expectSuccess(await admin.api.delete(`/realm/playgrounds/${other}`))
    }
    expectSuccess(await admin.api.delete(`/realm/playgrounds/${expectSuccess(await add({})).id}`))
  })

  it('can be changed by administrators alone', async () => {
    const role = { code: 'UNAUTHORIZED_PRINCIPAL' }
    const text = 'Must be an organization administrator'
    expectRefusal(await ann.api.post('/realm/playgrounds', PYTHON), text, role)
    expectRefusal(await guest.api.delete('/realm/playgrounds/1'), text, role)
    expectUnauthorized(await realm.anonymous.post('/realm/playgrounds', PYTHON))
  })
})
