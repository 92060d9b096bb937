import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { ALL_CAPABILITIES, openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, admin, ann, guest } = useRealm({ admin: 'administrator', ann: 'member', guest: 'guest' })

/** What a linkifier has that says nothing about the way back. */
const ONE_WAY = { example_input: null, reverse_template: null, alternative_url_templates: [] }
const ISSUE = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' }

async function add(linkifier: { pattern: string; url_template: string }): Promise<number> {
  return expectSuccess(await admin.api.post('/realm/filters', linkifier)).id
}

async function list(user = guest) {
  return expectSuccess(await user.api.get('/realm/linkifiers')).linkifiers
}

async function sent(content: string): Promise<{ content: string }> {
  const { id } = expectSuccess(await ann.api.post('/messages', { type: 'direct', to: [admin.id], content }))
  return expectSuccess(await ann.api.get(`/messages/${id}`)).message
}

describe('linkifiers', () => {
  it('make links in messages, and everybody gets the whole list', async () => {
    const queue = await openQueue(guest)
    const old = await openQueue(ann, {
      client_capabilities: { ...ALL_CAPABILITIES, linkifier_url_template: false },
    })
    const id = await add(ISSUE)
    expect(await list()).toEqual([{ id, ...ISSUE, ...ONE_WAY }])
    expect(await queue.eventsOf('realm_linkifiers')).toMatchObject([{ realm_linkifiers: [{ id, ...ISSUE }] }])
    expect(await old.eventsOf('realm_linkifiers')).toMatchObject([{ realm_linkifiers: [] }])
    expect((await openQueue(ann)).snapshot.realm_linkifiers).toEqual([{ id, ...ISSUE, ...ONE_WAY }])
    const without = { ...ALL_CAPABILITIES, linkifier_url_template: false }
    const { snapshot } = await openQueue(ann, { client_capabilities: without })
    expect([snapshot.realm_linkifiers, snapshot.realm_filters]).toEqual([[], []])
    expect((await sent('see #42')).content).toBe('<p>see <a href="https://issues.example.com/42">#42</a></p>')
    expectSuccess(await admin.api.delete(`/realm/filters/${id}`))
  })

  it('can be changed in place and deleted', async () => {
    const id = await add(ISSUE)
    const changed = { pattern: 'T(?P<id>[0-9]+)', url_template: 'https://t.example.com/{id}' }
    const queue = await openQueue(ann)
    expectSuccess(await admin.api.patch(`/realm/filters/${id}`, changed))
    expect(await queue.eventsOf('realm_linkifiers')).toMatchObject([
      { realm_linkifiers: [{ id, ...changed }] },
    ])
    expect((await sent('T7 #7')).content).toBe('<p><a href="https://t.example.com/7">T7</a> #7</p>')
    expectSuccess(await admin.api.patch(`/realm/filters/${id}`, changed))
    expectSuccess(await admin.api.delete(`/realm/filters/${id}`))
    expect(await list()).toEqual([])
    expect((await sent('T7')).content).toBe('<p>T7</p>')
    expectRefusal(await admin.api.delete(`/realm/filters/${id}`), 'Linkifier not found.')
    expectRefusal(await admin.api.patch(`/realm/filters/${id}`, changed), 'Linkifier not found.')
  })

  it('apply in their order, which can be changed', async () => {
    const general = await add({
      pattern: 'X(?P<rest>[0-9]+)',
      url_template: 'https://general.example.com/{rest}',
    })
    const special = await add({
      pattern: 'X1(?P<rest>[0-9]*)',
      url_template: 'https://special.example.com/{rest}',
    })
    expect((await sent('X12')).content).toContain('https://general.example.com/12')
    const queue = await openQueue(ann)
    expectSuccess(await admin.api.patch('/realm/linkifiers', { ordered_linkifier_ids: [special, general] }))
    const ids = (await list()).map(({ id }: { id: number }) => id)
    expect(ids).toEqual([special, general])
    expect(
      (await queue.eventsOf('realm_linkifiers'))[0]!.realm_linkifiers.map(({ id }: { id: number }) => id),
    ).toEqual(ids)
    expect((await sent('X12')).content).toContain('https://special.example.com/2')
    for (const wrong of [[special], [special, special], [special, general, 0], []]) {
      expectRefusal(
        await admin.api.patch('/realm/linkifiers', { ordered_linkifier_ids: wrong }),
        'Invalid order mapping.',
      )
    }
    for (const id of ids) expectSuccess(await admin.api.delete(`/realm/filters/${id}`))
  })

  it('are refused with what is wrong with each parameter', async () => {
    const refused = async (pattern: string, url_template: string, errors: Record<string, string[]>) => {
      const response = await admin.api.post('/realm/filters', { pattern, url_template })
      expectRefusal(response, Object.values(errors)[0]![0]!, { errors })
    }
    const broken = { pattern: '(?P<id>', url_template: 'https://example.com/{id}' }
    const { body } = await admin.api.post('/realm/filters', broken)
    expect(body.msg).toMatch(/^Bad regular expression: /)
    expect(body.msg).toContain('(?P<id>')
    expect(body.msg).not.toContain('pZ')
    expect(body.errors).toEqual({ __all__: [body.msg] })
    await refused('(?P<id>', 'https://example.com/{id', {
      url_template: ['Invalid URL template.'],
      __all__: [body.msg],
    })
    await refused('(?P<id>a)', 'https://example.com/{id', { url_template: ['Invalid URL template.'] })
    await refused('(?P<id>a)', 'https://example.com/{id}{no}', {
      __all__: ["Group 'no' in URL template is not present in linkifier pattern."],
    })
    await refused('(?P<id>a)(?P<b>c)', 'https://example.com/{id}', {
      __all__: ["Group 'b' in linkifier pattern is not present in URL template."],
    })
    const id = await add(ISSUE)
    await refused(ISSUE.pattern, 'https://elsewhere.example.com/{id}', {
      __all__: ['Linkifier already exists.'],
    })
    expect(await list()).toEqual([{ id, ...ISSUE, ...ONE_WAY }])
    expectSuccess(await admin.api.delete(`/realm/filters/${id}`))
  })

  it('lead to websites alone, and so do code playgrounds', async () => {
    const pattern = '(?P<code>a)'
    for (const start of [
      'javascript:',
      'data:,',
      'ftp://example.com/',
      'mailto:',
      '//example.com/',
      '/',
      ' ',
    ]) {
      const url_template = `${start}{code}`
      const errors = { url_template: ['Invalid URL template.'] }
      expectRefusal(
        await admin.api.post('/realm/filters', { pattern, url_template }),
        'Invalid URL template.',
        {
          errors,
        },
      )
      const playground = { name: 'Run', pygments_language: 'Python', url_template }
      expectRefusal(await admin.api.post('/realm/playgrounds', playground), 'Invalid URL template.', {
        errors,
      })
      const alternative_url_templates = [url_template]
      const good = {
        pattern,
        url_template: 'HTTPS://example.com/{code}',
        example_input: 'a',
        reverse_template: '{code}',
      }
      expectRefusal(
        await admin.api.post('/realm/filters', { ...good, alternative_url_templates }),
        'Invalid URL template.',
        { errors: { alternative_url_templates: ['Invalid URL template.'] } },
      )
    }
  })

  it('need a pattern and a template, which lose white space at both ends', async () => {
    const blank = ['This field cannot be blank.']
    for (const empty of ['', ' \n']) {
      for (const [given, errors] of [
        [{ pattern: empty, url_template: 'https://example.com/' }, { pattern: blank }],
        [{ pattern: 'a', url_template: empty }, { url_template: blank }],
        [
          { pattern: empty, url_template: empty },
          { pattern: blank, url_template: blank },
        ],
      ] as const) {
        expectRefusal(await admin.api.post('/realm/filters', given), blank[0]!, { errors })
      }
    }
    const id = await add({ pattern: ` ${ISSUE.pattern} `, url_template: `${ISSUE.url_template}\n` })
    expect(await list()).toEqual([{ id, ...ISSUE, ...ONE_WAY }])
    const emptied = await admin.api.patch(`/realm/filters/${id}`, { ...ISSUE, pattern: '' })
    expectRefusal(emptied, blank[0]!, {
      errors: {
        pattern: blank,
        __all__: ["Group 'id' in URL template is not present in linkifier pattern."],
      },
    })
    expectSuccess(await admin.api.delete(`/realm/filters/${id}`))
  })

  it('are refused when all patterns together are too large; less is always allowed', async () => {
    const large = (mark: string, count = 900) => ({
      pattern: `[a-f]{${count}}(?:[a-f]?){${count}}(?:[a-f]?){${count}}${mark}`,
      url_template: 'https://a.example.com/',
    })
    const ids = [await add(large('1')), await add(large('2')), await add(large('3'))]
    const refused = 'The linkifiers of an organization are too large together (limit: 20000 instructions).'
    let id = 0
    for (let n = 4; n < 8; n += 1) {
      const answer = await admin.api.post('/realm/filters', large(String(n)))
      if (answer.status === 200) ids.push(answer.body.id)
      else expectRefusal(answer, refused)
    }
    expect(ids.length).toBeLessThan(6)
    const before = await list()
    id = await add({ pattern: 'Z-(?P<id>[0-9]+)', url_template: 'https://z.example.com/{id}' })
    expectRefusal(await admin.api.patch(`/realm/filters/${id}`, large('8')), refused)
    expect((await sent('Z-1')).content).toContain('https://z.example.com/1')
    expectSuccess(await admin.api.patch(`/realm/filters/${ids[0]}`, large('1', 99)))
    for (const one of [...ids, id]) expectSuccess(await admin.api.delete(`/realm/filters/${one}`))
    expect(before).toHaveLength(ids.length)
  })

  it('say how an address becomes the text again; an empty text removes that', async () => {
    const back = {
      example_input: '#42',
      reverse_template: '#{id}',
      alternative_url_templates: ['https://old.example.com/{id}', 'https://issues.example.com/{id}/'],
    }
    const queue = await openQueue(guest)
    const id = expectSuccess(await admin.api.post('/realm/filters', { ...ISSUE, ...back })).id
    expect(await list()).toEqual([{ id, ...ISSUE, ...back }])
    expect((await openQueue(ann)).snapshot.realm_linkifiers).toEqual([{ id, ...ISSUE, ...back }])
    const wider = { ...ISSUE, pattern: '#(?P<id>[0-9a-f]+)' }
    expectSuccess(await admin.api.patch(`/realm/filters/${id}`, wider))
    expect(await list()).toEqual([{ id, ...wider, ...back }])
    const none = { ...wider, example_input: '', reverse_template: ' ', alternative_url_templates: [] }
    expectSuccess(await admin.api.patch(`/realm/filters/${id}`, none))
    const events = await queue.eventsOf('realm_linkifiers')
    expect(events.map(({ realm_linkifiers }) => realm_linkifiers)).toEqual([
      [{ id, ...ISSUE, ...back }],
      [{ id, ...wider, ...back }],
      [{ id, ...wider, ...ONE_WAY }],
    ])
    expectSuccess(await admin.api.delete(`/realm/filters/${id}`))
  })

  it.each([
    [{ reverse_template: '#{id}' }, 'Example text is required when auto-conversion field is set.'],
    [{ example_input: 'none' }, 'Example input does not match the linkifier pattern.'],
    [
      { example_input: '#42', reverse_template: 'no {id}' },
      'Example text does not match auto-conversion field.',
    ],
    [
      { example_input: '#42', reverse_template: '#{id' },
      "Invalid auto-conversion field: missing '}' character.",
    ],
    [{ example_input: '#42', reverse_template: '#{}' }, 'Invalid auto-conversion field: empty field name.'],
    [
      { example_input: '#42', reverse_template: '#{no}' },
      "Group 'no' in auto-conversion field is not present in linkifier pattern.",
    ],
    [
      { alternative_url_templates: ['https://example.com/{no}'] },
      "Group 'no' in URL template is not present in linkifier pattern.",
    ],
  ])('are refused with a wrong way back: %j', async (back, msg) => {
    const answer = await admin.api.post('/realm/filters', { ...ISSUE, ...back })
    expectRefusal(answer, msg, { errors: { __all__: [msg] } })
    expect(await list()).toEqual([])
  })

  it('are refused with an alternative that is no template, or too many of them', async () => {
    const broken = { ...ISSUE, alternative_url_templates: ['https://example.com/{id'] }
    expectRefusal(await admin.api.post('/realm/filters', broken), 'Invalid URL template.', {
      errors: { alternative_url_templates: ['Invalid URL template.'] },
    })
    const many = { ...ISSUE, alternative_url_templates: Array(21).fill('https://example.com/{id}') }
    expect((await admin.api.post('/realm/filters', many)).body.msg).toBe(
      'alternative_url_templates is too long (limit: 20 items)',
    )
    const braces = { pattern: '[{](?P<id>[0-9]+)[}]', url_template: ISSUE.url_template }
    const example = { example_input: '{7}', reverse_template: '{{{id}}}' }
    const id = expectSuccess(await admin.api.post('/realm/filters', { ...braces, ...example })).id
    expectSuccess(await admin.api.delete(`/realm/filters/${id}`))
  })

  it('can be changed by administrators alone', async () => {
    const id = await add(ISSUE)
    const role = { code: 'UNAUTHORIZED_PRINCIPAL' }
    const text = 'Must be an organization administrator'
    for (const user of [ann, guest]) {
      expectRefusal(await user.api.post('/realm/filters', ISSUE), text, role)
      expectRefusal(await user.api.patch(`/realm/filters/${id}`, ISSUE), text, role)
      expectRefusal(await user.api.delete(`/realm/filters/${id}`), text, role)
      expectRefusal(await user.api.patch('/realm/linkifiers', { ordered_linkifier_ids: [id] }), text, role)
    }
    expectUnauthorized(await realm.anonymous.get('/realm/linkifiers'))
    expectUnauthorized(await realm.anonymous.post('/realm/filters', ISSUE))
    expect(await list()).toHaveLength(1)
  })
})
