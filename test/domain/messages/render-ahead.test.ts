import { describe, expect, it } from 'vitest'
import { NotPreparedError } from '../../../src/core/realm-transaction.ts'
import type { Sql } from '../../../src/core/sql.ts'
import { renderAhead } from '../../../src/domain/messages/send/render-ahead.ts'
import type { MarkdownLookups } from '../../../src/markdown/render.ts'
import { lookups } from '../../markdown/lookups.ts'

const LONG = `@**King Hamlet** says ${'so **much** '.repeat(400)}`

/** A change of whose texts some may be made before it. */
function change() {
  let changes = 0
  const sql = { changesOf: () => changes } as Partial<Sql> as Sql
  const view = { sql, mayBePutOff: true, prepared: new Map<string, unknown>() }
  return { view, changeAlertWords: () => (changes += 1) }
}

/** Tries a change until it is no longer put off, and returns the rendering and how often it was. */
async function tried(view: ReturnType<typeof change>['view'], content: string, given: MarkdownLookups) {
  for (let times = 0; ; times += 1) {
    try {
      return { rendered: renderAhead(view, content, given), times }
    } catch (error) {
      if (!(error instanceof NotPreparedError)) throw error
      await error.prepare(async () => {})
    }
  }
}

/** Lookups that count how often each is asked for somebody, and know the only one there is by another name at will. */
function countedLookups() {
  const known = { id: 7, fullName: 'King Hamlet', isActive: true }
  let asked = 0
  const given: MarkdownLookups = {
    ...lookups,
    usersNamed: () => {
      asked += 1
      return [{ ...known }]
    },
    alertWords: { usersAlertedBy: () => [3] },
  }
  return { given, known, asked: () => asked }
}

describe('The rendering of a long text', () => {
  it('is made before the turn that stores it, with whom it alerts', async () => {
    const { given, asked } = countedLookups()
    const { view } = change()
    const { rendered, times } = await tried(view, LONG, given)
    expect(times).toBe(1)
    expect(rendered).toMatchObject({ mentionedUserIds: [7], alertedUserIds: [3] })
    // Once for the rendering, and once for whether it is still true.
    expect(asked()).toBe(2)
    const { rendered: atOnce } = await tried({ ...change().view, mayBePutOff: false }, LONG, given)
    expect(rendered).toEqual(atOnce)
  })

  it('is made anew where what it names has changed meanwhile', async () => {
    const { given, known } = countedLookups()
    const { view } = change()
    await tried(view, LONG, given)
    known.id = 8
    const { rendered, times } = await tried(view, LONG, given)
    expect(times).toBe(1)
    expect(rendered.mentionedUserIds).toEqual([8])
    known.isActive = false
    const last = renderAhead({ ...view, mayBePutOff: false }, LONG, given)
    expect(last.mentionedUserIds).toEqual([])
  })

  it('is made anew where a setting or somebody’s alert words have changed', async () => {
    const { given } = countedLookups()
    const { view, changeAlertWords } = change()
    await tried(view, LONG, given)
    expect((await tried(view, LONG, given)).times).toBe(0)
    changeAlertWords()
    expect((await tried(view, LONG, given)).times).toBe(1)
    expect((await tried(view, LONG, { ...given, realmUrl: 'https://other.example' })).times).toBe(1)
  })

  it('is not put off where the text is short', async () => {
    const { given } = countedLookups()
    expect((await tried(change().view, 'short', given)).times).toBe(0)
  })
})
