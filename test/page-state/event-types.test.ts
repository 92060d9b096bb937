import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../src/events/index.ts'
import { APPLIED, applyEvents, NOT_NEEDED } from '../../web/state/index.ts'
import { buildEvent, buildState, NOW } from './build.ts'

describe('each type of event', () => {
  const ofServer = [...EVENT_TYPES.keys(), 'heartbeat'].sort()

  it('of the server is applied, or has a stated reason why not', () => {
    expect([...Object.keys(APPLIED), ...Object.keys(NOT_NEEDED)].sort()).toEqual(ofServer)
  })

  it('that is unknown changes nothing', () => {
    const state = buildState()
    const touched: string[] = []
    state.changes.listen((slices) => touched.push(...slices))
    applyEvents(state, [buildEvent('of_a_later_server', { op: 'add' })], NOW)
    expect(touched).toEqual([])
  })
})

describe('a change', () => {
  it('notifies its listeners once a batch, for its part and for everything', () => {
    const state = buildState()
    const heard: string[][] = []
    const stop = state.changes.listen((slices) => heard.push([...slices].sort()))
    const rename = (full_name: string) =>
      buildEvent('realm_user', { op: 'update', person: { user_id: 4, full_name } })
    applyEvents(state, [rename('Ann'), rename('Anne')], NOW)
    expect(heard).toEqual([['user', 'user 4']])
    const version = state.changes.version('user 4')
    stop()
    applyEvents(state, [rename('Anna')], NOW)
    expect(heard).toHaveLength(1)
    expect(state.changes.version('user 4')).toBeGreaterThan(version)
    expect(state.changes.version('user 7')).toBe(0)
  })
})
